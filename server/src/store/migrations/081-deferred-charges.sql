-- database: ledger

-- Batches of requests whose answers are sent, but which are not written to the other tables yet (engines/sqlite-deferral.ts). Those with a
-- problem could not be written. PostgreSQL defers nothing.
create table deferred_runs (seq {{identity}}, argument text not null, problem text);
