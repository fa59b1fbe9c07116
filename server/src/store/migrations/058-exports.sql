-- database: ledger

-- A bulk export, by the id of its request. row_count and byte_count are those of complete blocks; updated_at is the time of
-- the last one. sha256 is known once it has ended.
create table bulk_exports (
  id text primary key,
  account_id text not null references accounts (id),
  api_key_id text not null,
  endpoint text not null,
  format text not null,
  status text not null,
  row_count bigint not null,
  byte_count bigint not null,
  sha256 text,
  created_at bigint not null,
  updated_at bigint not null
);

create index bulk_exports_by_account on bulk_exports (account_id, created_at, id);

-- The charge records of streams and of exports, as request_log is for requests: a stream is charged for minutes, an export
-- for rows.
alter table stream_charges rename to metered_charges;
alter table metered_charges add column export_id text;
alter table metered_charges add column row_count bigint not null default 0;

drop index stream_charges_by_account;
create index metered_charges_by_account on metered_charges (account_id, created_at);
create index metered_charges_by_export on metered_charges (export_id) where export_id is not null;
