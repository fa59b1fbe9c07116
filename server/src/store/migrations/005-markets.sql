-- Markets of assets. Inserting candles updates the columns from last_price to history_start_at.
create table markets (
  ref {{identity}},
  id text not null unique,
  symbol text not null unique,
  name text not null,
  asset_ref integer not null,
  type text not null,
  venue text not null,
  -- The venue in upper case, for the filter.
  venue_key text not null,
  base_currency text,
  quote_currency text not null,
  timezone text not null,
  status text not null,
  -- Search words, each preceded by a space.
  words text not null,
  -- Candles store volumes in units of 10^-decimals.
  volume_decimals integer not null,
  quote_volume_decimals integer not null,
  last_price double precision,
  last_price_at bigint,
  previous_close double precision,
  change double precision,
  change_percent double precision,
  day_open double precision,
  day_high double precision,
  day_low double precision,
  day_volume double precision,
  finest_level integer,
  history_start_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);

create index markets_by_asset on markets (asset_ref);

-- SQLite sorts text by bytes. PostgreSQL must do the same, whatever the locale of the database.
-- only postgres
alter table markets alter column symbol type text collate "C";

-- Levels are minutes (0), hours (1), days (2) and months (3). A row is the roll-up of the rows below it if there are any
-- (is_rolled), else a candle received at its own level.
create table candles (
  market_ref integer not null,
  level integer not null,
  opened_at bigint not null,
  open double precision not null,
  high double precision not null,
  low double precision not null,
  close double precision not null,
  volume bigint not null,
  quote_volume bigint,
  trade_count bigint,
  is_rolled integer not null,
  primary key (market_ref, level, opened_at)
) {{clustered}};
