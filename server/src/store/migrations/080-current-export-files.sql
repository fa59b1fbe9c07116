-- database: ledger

-- The order of the list of files (store/exports/export-files.ts).
create index export_files_current_by_day on export_files (day desc, dataset, created_at desc, id) where superseded_by is null;
