-- The position of the last recorded odds of a market; 0 if it has only the odds that it was inserted with.
alter table prediction_markets add column odds_place integer not null default 0;
