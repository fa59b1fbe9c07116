-- What Mintick reads by itself. `added` and `configured` are options in JSON: those that an operator added by command,
-- and those of the SOURCES setting, which win.
create table sources (
  key text primary key,
  kind text not null,
  added text,
  configured text,
  -- The preset or file that `configured` is from.
  configured_by text,
  is_paused integer not null,
  -- Why it will not be read any more, for example because its address was given up.
  stopped text,
  -- How far it has been read, in JSON: the kind decides what it contains.
  state text not null,
  next_run_at bigint not null,
  every_ms bigint not null,
  last_run_at bigint,
  last_success_at bigint,
  last_error text,
  -- Runs that failed since the last success.
  failures integer not null,
  added_items bigint not null,
  changed_items bigint not null,
  rejected_items bigint not null,
  -- Numbers of rejected items by reason, in JSON.
  rejections text not null,
  -- Time between publication and storage of the latest item.
  lag_ms bigint,
  created_at bigint not null
);
create index sources_by_next_run on sources (next_run_at);

-- The entries that the items of a feed became, so that an item whose address changes is recognised.
create table source_items (
  source_key text not null,
  guid text not null,
  entry_id text not null,
  primary key (source_key, guid)
) {{clustered}};
create index source_items_by_entry on source_items (entry_id);
