-- Candles of a market and level, about a hundred per row: see candle-blocks.ts. Levels are minutes (0), quarters of an
-- hour (1), hours (2), days (3) and months (4). 018-candle-blocks.ts fills the table.
create table candle_blocks (
  market_ref integer not null,
  level integer not null,
  starts_at bigint not null,
  candles {{blob}} not null,
  primary key (market_ref, level, starts_at)
);

-- Increases with each insert of candles.
alter table markets add column candles_version integer not null default 0;
