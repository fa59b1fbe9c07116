-- database: ledger

-- The version of the dataset as of which the file is known to be current: nothing that came before it has to be read again.
-- Null: not known.
alter table export_files add column version bigint;

-- Files that are being stored. One that a crash has left here without a row in export_files is removed.
create table export_uploads (
  id text primary key,
  dataset text not null,
  day text not null
);
