create table clusters (
  seq integer primary key,
  id text not null unique,
  status text not null,
  entry_count double precision not null,
  publisher_count integer not null,
  sentiment_score double precision not null,
  importance_score double precision not null,
  last_published_at double precision not null
);

create index clusters_by_last_published on clusters (last_published_at, seq);
create index clusters_by_importance on clusters (importance_score, seq);
create index clusters_by_entry_count on clusters (entry_count, seq);
create index clusters_by_status on clusters (status, last_published_at, seq);

create table cluster_assets (
  asset_ref integer not null,
  last_published_at double precision not null,
  seq integer not null,
  primary key (asset_ref, last_published_at, seq)
) {{clustered}};

create index cluster_assets_by_cluster on cluster_assets (seq);

create table cluster_topics (
  topic_ref integer not null,
  last_published_at double precision not null,
  seq integer not null,
  primary key (topic_ref, last_published_at, seq)
) {{clustered}};

create index cluster_topics_by_cluster on cluster_topics (seq);

create table cluster_languages (
  language text not null,
  last_published_at double precision not null,
  seq integer not null,
  primary key (language, last_published_at, seq)
) {{clustered}};

create index cluster_languages_by_cluster on cluster_languages (seq);

-- An entry belongs to at most one cluster.
create table cluster_entries (
  entry_seq integer primary key,
  cluster_seq integer not null,
  published_at bigint not null
);

create index cluster_entries_by_cluster on cluster_entries (cluster_seq, published_at, entry_seq);

create table clusters_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table clusters_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table clusters_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index clusters_search_by_words on clusters_search using gin (words) with (fastupdate = off);

create table signals (
  seq integer primary key,
  id text not null unique,
  kind text not null,
  direction text not null,
  asset_ref integer not null,
  horizon text not null,
  status text not null,
  strength double precision not null,
  confidence double precision not null,
  generated_at double precision not null,
  expires_at bigint not null
);

create index signals_by_generated on signals (generated_at, seq);
create index signals_by_asset on signals (asset_ref, generated_at, seq);
create index signals_by_kind on signals (kind, generated_at, seq);
create index signals_by_status on signals (status, generated_at, seq);
create index signals_by_direction on signals (direction, generated_at, seq);
create index signals_by_strength on signals (strength, seq);
create index signals_by_asset_strength on signals (asset_ref, strength, seq);
create index signals_by_kind_strength on signals (kind, strength, seq);
create index signals_by_status_strength on signals (status, strength, seq);
create index signals_by_confidence on signals (confidence, seq);
-- The index contains the status: otherwise SQLite would use the index by status and scan all active signals.
create index signals_by_expiry on signals (status, expires_at) where status = 'active';

-- The signals that name an entry as evidence.
create table signal_entries (
  entry_id text not null,
  seq integer not null,
  primary key (entry_id, seq)
) {{clustered}};

create table signals_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table signals_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table signals_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index signals_search_by_words on signals_search using gin (words) with (fastupdate = off);

insert into feeds (name, last_seq, last_created_at, epoch) values
  ('clusters', 0, 0, 0),
  ('signals', 0, 0, 0);
