-- A record is known from filed_at, its acceptance, until known_to, the acceptance of the first filing that superseded it,
-- or null if none did. known_to is never before filed_at.

alter table sec_insider_trades add column known_to double precision;

update sec_insider_trades set known_to = coalesce(
  (select min(case when s.filed_at < sec_insider_trades.filed_at then sec_insider_trades.filed_at else s.filed_at end)
   from sec_insider_trades s where s.supersedes_id = sec_insider_trades.id),
  filed_at
) where superseded = 1;

create index sec_insider_trades_by_known_to on sec_insider_trades (known_to) where known_to is not null;

alter table sec_financial_filings add column known_to double precision;

update sec_financial_filings set known_to = coalesce(
  (select min(case when s.filed_at < sec_financial_filings.filed_at then sec_financial_filings.filed_at else s.filed_at end)
   from sec_financial_filings s where s.supersedes_id = sec_financial_filings.id),
  filed_at
) where superseded = 1;

create index sec_financial_filings_by_known_to on sec_financial_filings (known_to) where known_to is not null;

alter table sec_institutional_holdings add column known_to double precision;

update sec_institutional_holdings set known_to = coalesce(
  (select min(case when s.filed_at < sec_institutional_holdings.filed_at then sec_institutional_holdings.filed_at else s.filed_at end)
   from sec_institutional_holdings s where s.supersedes_id = sec_institutional_holdings.id),
  filed_at
) where superseded = 1;

create index sec_institutional_holdings_by_known_to on sec_institutional_holdings (known_to) where known_to is not null;

alter table sec_beneficial_ownership add column known_to double precision;

update sec_beneficial_ownership set known_to = coalesce(
  (select min(case when s.filed_at < sec_beneficial_ownership.filed_at then sec_beneficial_ownership.filed_at else s.filed_at end)
   from sec_beneficial_ownership s where s.supersedes_id = sec_beneficial_ownership.id),
  filed_at
) where superseded = 1;

create index sec_beneficial_ownership_by_known_to on sec_beneficial_ownership (known_to) where known_to is not null;

alter table sec_private_placements add column known_to double precision;

update sec_private_placements set known_to = coalesce(
  (select min(case when s.filed_at < sec_private_placements.filed_at then sec_private_placements.filed_at else s.filed_at end)
   from sec_private_placements s where s.supersedes_id = sec_private_placements.id),
  filed_at
) where superseded = 1;

create index sec_private_placements_by_known_to on sec_private_placements (known_to) where known_to is not null;

alter table sec_planned_sales add column known_to double precision;

update sec_planned_sales set known_to = coalesce(
  (select min(case when s.filed_at < sec_planned_sales.filed_at then sec_planned_sales.filed_at else s.filed_at end)
   from sec_planned_sales s where s.supersedes_id = sec_planned_sales.id),
  filed_at
) where superseded = 1;

create index sec_planned_sales_by_known_to on sec_planned_sales (known_to) where known_to is not null;

alter table sec_material_events add column known_to double precision;

update sec_material_events set known_to = coalesce(
  (select min(case when s.filed_at < sec_material_events.filed_at then sec_material_events.filed_at else s.filed_at end)
   from sec_material_events s where s.supersedes_id = sec_material_events.id),
  filed_at
) where superseded = 1;

create index sec_material_events_by_known_to on sec_material_events (known_to) where known_to is not null;

-- Filings that supersede whole filings, also those that the store does not have yet.
create table sec_supersessions (
  dataset text not null,
  accession_number text not null,
  superseded_by text not null,
  accepted_at double precision not null,
  primary key (dataset, accession_number, superseded_by)
) {{clustered}};
