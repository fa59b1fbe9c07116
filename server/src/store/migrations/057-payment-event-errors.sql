-- database: ledger

-- Why the last attempt to process the event failed; null once it succeeded.
alter table processor_events add column error text;

create index processor_events_by_time on processor_events (received_at, id);
