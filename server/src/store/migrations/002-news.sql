-- Publishers, assets and topics have an `id` for the API and a short `ref` for foreign keys.
create table publishers (
  ref {{identity}},
  id text not null unique,
  slug text not null unique,
  name text not null,
  domain text not null,
  homepage_url text,
  description text,
  country_code text,
  language text,
  type text not null,
  is_paywalled integer,
  is_active integer not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table assets (
  ref {{identity}},
  id text not null unique,
  key text not null unique,
  symbol text not null,
  name text not null,
  type text not null,
  status text not null,
  exchange text,
  country_code text,
  currency text,
  cik text,
  isin text,
  aliases text not null,
  sector text,
  industry text,
  description text,
  website_url text,
  created_at bigint not null,
  updated_at bigint not null
);

create table topics (
  ref {{identity}},
  id text not null unique,
  slug text not null unique,
  name text not null,
  description text,
  parent_id text references topics (id),
  created_at bigint not null,
  updated_at bigint not null
);

-- One row per append-mostly feed. Writers lock this row first, so the order of seq is the order of commits and
-- created_at never decreases. Edits and deletions increase the epoch.
create table feeds (
  name text primary key,
  last_seq integer not null,
  last_created_at bigint not null,
  epoch integer not null
);

insert into feeds (name, last_seq, last_created_at, epoch) values ('entries', 0, 0, 0);

-- doc is the entry as the API returns it. The other columns are for filters and sorts. The order of created_at is the
-- order of seq, so its indexes need no time.
create table entries (
  seq integer primary key,
  id text not null unique,
  publisher_ref integer not null,
  country_code text,
  language text,
  has_assets integer not null,
  sentiment_score double precision,
  published_at bigint not null,
  created_at bigint not null,
  doc text not null
);

-- The range of publication times of each run of 1,024 entries. A filter on the publication time skips whole runs.
create table entry_spans (
  span integer primary key,
  published_min bigint not null,
  published_max bigint not null
);

-- The full text, separate from the row that every page reads.
create table entry_contents (
  seq integer primary key,
  content text not null
);

create index entries_by_published on entries (published_at, seq);
create index entries_by_publisher on entries (publisher_ref, seq);
create index entries_by_publisher_published on entries (publisher_ref, published_at, seq);
create index entries_by_language on entries (language, seq);
create index entries_by_language_published on entries (language, published_at, seq);
create index entries_by_country on entries (country_code, seq);
create index entries_by_country_published on entries (country_code, published_at, seq);
create index entries_by_has_assets on entries (has_assets, seq);
create index entries_by_has_assets_published on entries (has_assets, published_at, seq);

create table entry_assets (
  asset_ref integer not null,
  seq integer not null,
  published_at bigint not null,
  primary key (asset_ref, seq)
) {{clustered}};

create index entry_assets_by_published on entry_assets (asset_ref, published_at, seq);

create table entry_topics (
  topic_ref integer not null,
  seq integer not null,
  published_at bigint not null,
  primary key (topic_ref, seq)
) {{clustered}};

create index entry_topics_by_published on entry_topics (topic_ref, published_at, seq);

-- only sqlite
create virtual table entries_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table entries_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index entries_search_by_words on entries_search using gin (words) with (fastupdate = off);
