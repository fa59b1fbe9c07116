-- database: ledger

-- Times without a gap in which at least one instance ran and could write here. Spans of several instances may overlap.
create table uptime_spans (
  started_at bigint primary key,
  ended_at bigint not null
);

create index uptime_spans_by_end on uptime_spans (ended_at);
