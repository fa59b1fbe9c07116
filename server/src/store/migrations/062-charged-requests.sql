-- database: ledger

-- The request that a charge of an export belongs to: the first charge of a request is written with its line in the log.
alter table metered_charges add column request_id text;
update metered_charges set request_id = export_id
where export_id in (select id from bulk_exports where status <> 'running');

create index metered_charges_by_request on metered_charges (request_id) where request_id is not null;

-- The rows of an export are those it was charged for.
update bulk_exports set row_count = (
  select cast(sum(c.row_count) as bigint) from metered_charges c where c.export_id = bulk_exports.id
)
where status in ('disconnected', 'stalled')
  and exists (select 1 from metered_charges c where c.export_id = bulk_exports.id);
