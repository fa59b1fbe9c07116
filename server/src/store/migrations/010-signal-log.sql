-- Log of new and changed signals, the source of the streams. The ids come from `feeds`: they follow the order of commits
-- and are never reused after a removal.
create table signal_events (
  id integer primary key,
  kind text not null,
  direction text not null,
  asset_key text not null,
  strength double precision not null,
  confidence double precision not null,
  at bigint not null,
  doc text not null
);

create index signal_events_by_time on signal_events (at, id);

insert into feeds (name, last_seq, last_created_at, epoch) values ('signal_events', 0, 0, 0);

-- The time of the next attempt to evaluate a signal. Null once it is evaluated. is_hit stays null without a price.
alter table signals add column due_at bigint;

alter table signals add column is_hit integer;

-- only sqlite
update signals set is_hit = (
  select json_extract(r.doc, '$.outcome.isHit') from signals_docs r where r.seq = signals.seq
);

-- only postgres
update signals set is_hit = (
  select (r.doc::json #>> '{outcome,isHit}')::boolean::integer from signals_docs r where r.seq = signals.seq
);

update signals set due_at = expires_at where is_hit is null;

create index signals_by_due on signals (due_at) where due_at is not null;

create index signals_by_end on signals (expires_at);

-- Hit statistics per kind of signal, updated with every outcome.
create table signal_outcomes (
  kind text primary key,
  evaluated integer not null,
  hits integer not null
);

insert into signal_outcomes (kind, evaluated, hits)
select kind, count(*), sum(is_hit) from signals where is_hit is not null group by kind;

-- The order in which odds were recorded. Null for odds inserted with their market.
alter table prediction_odds add column place integer;

create index prediction_odds_by_place on prediction_odds (place) where place is not null;

insert into feeds (name, last_seq, last_created_at, epoch) values ('prediction_odds', 0, 0, 0);

-- For the first entry of a cluster and its entries in the order of arrival.
create index cluster_entries_by_seq on cluster_entries (cluster_seq, entry_seq);
