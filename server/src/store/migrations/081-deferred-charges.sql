-- database: ledger

-- Batches of requests that are charged, but not yet written to the other tables (store/engines/sqlite-deferral.ts).
-- only sqlite
create table deferred_runs (seq integer primary key, argument text not null);
