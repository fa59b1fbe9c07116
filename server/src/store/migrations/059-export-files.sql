-- database: ledger

-- Files with the records of a dataset on one UTC day. A file never changes: if the records do, another one supersedes it.
-- rows_sha256 is that of the records, which tells whether they have changed. What accounts paid for them is in
-- metered_charges.
create table export_files (
  id text primary key,
  dataset text not null,
  day text not null,
  row_count bigint not null,
  byte_count bigint not null,
  sha256 text not null,
  rows_sha256 text not null,
  supersedes text,
  superseded_by text,
  created_at bigint not null
);

create unique index export_files_current on export_files (dataset, day) where superseded_by is null;
create index export_files_by_day on export_files (day, dataset, created_at);
