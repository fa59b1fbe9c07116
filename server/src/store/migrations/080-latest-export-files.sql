-- database: ledger

-- In the order of the list.
create index export_files_latest on export_files (day desc, dataset, created_at desc, id) where superseded_by is null;
