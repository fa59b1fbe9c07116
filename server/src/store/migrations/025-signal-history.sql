-- The versions of each signal: a row for every change but its expiry and its outcome, which tell their own time. A version
-- is known from known_from until known_to, or null if it is the current one.
create table signal_versions (
  seq integer primary key,
  signal_id text not null,
  kind text not null,
  direction text not null,
  asset_ref integer not null,
  horizon text not null,
  is_superseded integer not null,
  strength double precision not null,
  confidence double precision not null,
  generated_at double precision not null,
  expires_at bigint not null,
  known_from double precision not null,
  known_to double precision
);

create index signal_versions_by_generated on signal_versions (generated_at, seq);
create index signal_versions_by_signal on signal_versions (signal_id, known_from);
create index signal_versions_by_asset on signal_versions (asset_ref, generated_at, seq);
create index signal_versions_by_kind on signal_versions (kind, generated_at, seq);
create index signal_versions_by_direction on signal_versions (direction, generated_at, seq);
create index signal_versions_by_strength on signal_versions (strength, seq);
create index signal_versions_by_asset_strength on signal_versions (asset_ref, strength, seq);
create index signal_versions_by_kind_strength on signal_versions (kind, strength, seq);
create index signal_versions_by_confidence on signal_versions (confidence, seq);
create index signal_versions_by_known_from on signal_versions (known_from);
create index signal_versions_by_known_to on signal_versions (known_to) where known_to is not null;

create table signal_versions_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table signal_versions_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table signal_versions_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index signal_versions_search_by_words on signal_versions_search using gin (words) with (fastupdate = off);

insert into feeds (name, last_seq, last_created_at, epoch)
select 'signal_versions', last_seq, last_created_at, 0 from feeds where name = 'signals';

-- Earlier changes of existing signals are unknown, but none comes after the expiry.
insert into signal_versions (
  seq, signal_id, kind, direction, asset_ref, horizon, is_superseded, strength, confidence, generated_at, expires_at, known_from
)
select seq, id, kind, direction, asset_ref, horizon, case when status = 'superseded' then 1 else 0 end, strength, confidence,
  generated_at, expires_at, expires_at
from signals;

insert into signal_versions_docs (seq, doc) select seq, replace(doc, '"status":"expired"', '"status":"active"') from signals_docs;

-- only sqlite
insert into signal_versions_search (rowid, words)
select seq, concat_ws(' ', doc ->> 'title', doc ->> 'summary', doc ->> 'assetKey') from signals_docs;

-- only postgres
insert into signal_versions_search (rowid, words) select rowid, words from signals_search;
