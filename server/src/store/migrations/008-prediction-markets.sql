create table prediction_markets (
  seq integer primary key,
  id text not null unique,
  slug text not null unique,
  venue text not null,
  status text not null,
  type text not null,
  category text,
  probability double precision not null,
  price_change_24h double precision not null,
  volume double precision not null,
  close_at double precision not null,
  created_at double precision not null
);

create index prediction_markets_by_volume on prediction_markets (volume, seq);
create index prediction_markets_by_close on prediction_markets (close_at, seq);
create index prediction_markets_by_probability on prediction_markets (probability, seq);
create index prediction_markets_by_change on prediction_markets (price_change_24h, seq);
create index prediction_markets_by_created on prediction_markets (created_at, seq);
create index prediction_markets_by_venue on prediction_markets (venue, volume, seq);
create index prediction_markets_by_status on prediction_markets (status, volume, seq);
create index prediction_markets_by_status_close on prediction_markets (status, close_at, seq);
create index prediction_markets_by_type on prediction_markets (type, volume, seq);
create index prediction_markets_by_category on prediction_markets (category, volume, seq);

create table prediction_assets (
  asset_ref integer not null,
  volume double precision not null,
  seq integer not null,
  primary key (asset_ref, volume, seq)
) {{clustered}};

create index prediction_assets_by_market on prediction_assets (seq);

create table prediction_topics (
  topic_ref integer not null,
  volume double precision not null,
  seq integer not null,
  primary key (topic_ref, volume, seq)
) {{clustered}};

create index prediction_topics_by_market on prediction_topics (seq);

-- Probabilities by outcome id, as JSON.
create table prediction_odds (
  seq integer not null,
  at bigint not null,
  probabilities text not null,
  primary key (seq, at)
) {{clustered}};

create table prediction_markets_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table prediction_markets_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table prediction_markets_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index prediction_markets_search_by_words on prediction_markets_search using gin (words) with (fastupdate = off);

insert into feeds (name, last_seq, last_created_at, epoch) values
  ('prediction_markets', 0, 0, 0);
