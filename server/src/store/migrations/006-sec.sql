-- Record tables have narrow rows for filters and sorts. The documents are in <table>_docs, so that scans do not read
-- them. Sort columns are double precision, so that they can be compared with any number in a cursor, and hold
-- -9007199254740991 for unknown values (UNKNOWN in filters.ts). Indexes start with the column that every query
-- filters by.

create table sec_insider_trades (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null,
  owner_cik text not null,
  owner_words text not null,
  transaction_code text,
  transaction_type text not null,
  is_open_market integer not null,
  is_derivative integer not null,
  is_officer integer not null,
  is_director integer not null,
  value double precision not null,
  transaction_date double precision not null
);

create index sec_insider_trades_by_filed on sec_insider_trades (superseded, filed_at, seq);
create index sec_insider_trades_by_cik on sec_insider_trades (superseded, cik, filed_at, seq);
create index sec_insider_trades_by_ticker on sec_insider_trades (superseded, ticker, filed_at, seq);
create index sec_insider_trades_by_asset_ref on sec_insider_trades (superseded, asset_ref, filed_at, seq);
create index sec_insider_trades_by_form_type on sec_insider_trades (superseded, form_type, filed_at, seq);
create index sec_insider_trades_by_owner_cik on sec_insider_trades (superseded, owner_cik, filed_at, seq);
create index sec_insider_trades_by_transaction_date on sec_insider_trades (superseded, transaction_date, seq);
create index sec_insider_trades_by_value on sec_insider_trades (superseded, value, seq);
create index sec_insider_trades_by_cik_date on sec_insider_trades (superseded, cik, transaction_date, seq);
create index sec_insider_trades_by_cik_value on sec_insider_trades (superseded, cik, value, seq);
create index sec_insider_trades_by_owner_value on sec_insider_trades (superseded, owner_cik, value, seq);
create index sec_insider_trades_by_accession on sec_insider_trades (superseded, accession_number, filed_at, seq);
create index sec_insider_trades_by_supersedes on sec_insider_trades (supersedes_id) where supersedes_id is not null;

create table sec_insider_trades_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_insider_trades_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_insider_trades_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_insider_trades_search_by_words on sec_insider_trades_search using gin (words) with (fastupdate = off);

create table sec_financial_filings (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null,
  fiscal_year integer,
  fiscal_period text,
  period_end double precision not null
);

create index sec_financial_filings_by_filed on sec_financial_filings (superseded, filed_at, seq);
create index sec_financial_filings_by_cik on sec_financial_filings (superseded, cik, filed_at, seq);
create index sec_financial_filings_by_ticker on sec_financial_filings (superseded, ticker, filed_at, seq);
create index sec_financial_filings_by_asset_ref on sec_financial_filings (superseded, asset_ref, filed_at, seq);
create index sec_financial_filings_by_form_type on sec_financial_filings (superseded, form_type, filed_at, seq);
create index sec_financial_filings_by_period_end on sec_financial_filings (superseded, period_end, seq);
create index sec_financial_filings_by_cik_period on sec_financial_filings (superseded, cik, period_end, seq);
create index sec_financial_filings_by_accession on sec_financial_filings (superseded, accession_number, filed_at, seq);
create index sec_financial_filings_by_supersedes on sec_financial_filings (supersedes_id) where supersedes_id is not null;

create table sec_financial_filings_items (
  item text not null,
  filed_at double precision not null,
  seq integer not null,
  primary key (item, filed_at, seq)
) {{clustered}};

create table sec_financial_filings_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_financial_filings_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_financial_filings_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_financial_filings_search_by_words on sec_financial_filings_search using gin (words) with (fastupdate = off);

create table sec_institutional_holdings (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null,
  manager_cik text not null,
  cusip text not null,
  position_status text,
  value_usd double precision not null
);

create index sec_institutional_holdings_by_filed on sec_institutional_holdings (superseded, filed_at, seq);
create index sec_institutional_holdings_by_cik on sec_institutional_holdings (superseded, cik, filed_at, seq);
create index sec_institutional_holdings_by_ticker on sec_institutional_holdings (superseded, ticker, filed_at, seq);
create index sec_institutional_holdings_by_asset_ref on sec_institutional_holdings (superseded, asset_ref, filed_at, seq);
create index sec_institutional_holdings_by_form_type on sec_institutional_holdings (superseded, form_type, filed_at, seq);
create index sec_institutional_holdings_by_manager_cik on sec_institutional_holdings (superseded, manager_cik, filed_at, seq);
create index sec_institutional_holdings_by_cusip on sec_institutional_holdings (superseded, cusip, filed_at, seq);
create index sec_institutional_holdings_by_value_usd on sec_institutional_holdings (superseded, value_usd, seq);
create index sec_institutional_holdings_by_cik_value on sec_institutional_holdings (superseded, cik, value_usd, seq);
create index sec_institutional_holdings_by_manager_value on sec_institutional_holdings (superseded, manager_cik, value_usd, seq);
create index sec_institutional_holdings_by_cusip_value on sec_institutional_holdings (superseded, cusip, value_usd, seq);
create index sec_institutional_holdings_by_accession on sec_institutional_holdings (superseded, accession_number, filed_at, seq);
create index sec_institutional_holdings_by_supersedes on sec_institutional_holdings (supersedes_id) where supersedes_id is not null;

create table sec_institutional_holdings_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_institutional_holdings_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_institutional_holdings_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_institutional_holdings_search_by_words on sec_institutional_holdings_search using gin (words) with (fastupdate = off);

create table sec_beneficial_ownership (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null,
  is_activist integer not null
);

create index sec_beneficial_ownership_by_filed on sec_beneficial_ownership (superseded, filed_at, seq);
create index sec_beneficial_ownership_by_cik on sec_beneficial_ownership (superseded, cik, filed_at, seq);
create index sec_beneficial_ownership_by_ticker on sec_beneficial_ownership (superseded, ticker, filed_at, seq);
create index sec_beneficial_ownership_by_asset_ref on sec_beneficial_ownership (superseded, asset_ref, filed_at, seq);
create index sec_beneficial_ownership_by_form_type on sec_beneficial_ownership (superseded, form_type, filed_at, seq);
create index sec_beneficial_ownership_by_accession on sec_beneficial_ownership (superseded, accession_number, filed_at, seq);
create index sec_beneficial_ownership_by_supersedes on sec_beneficial_ownership (supersedes_id) where supersedes_id is not null;

create table sec_beneficial_ownership_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_beneficial_ownership_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_beneficial_ownership_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_beneficial_ownership_search_by_words on sec_beneficial_ownership_search using gin (words) with (fastupdate = off);

create table sec_private_placements (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null
);

create index sec_private_placements_by_filed on sec_private_placements (superseded, filed_at, seq);
create index sec_private_placements_by_cik on sec_private_placements (superseded, cik, filed_at, seq);
create index sec_private_placements_by_ticker on sec_private_placements (superseded, ticker, filed_at, seq);
create index sec_private_placements_by_asset_ref on sec_private_placements (superseded, asset_ref, filed_at, seq);
create index sec_private_placements_by_form_type on sec_private_placements (superseded, form_type, filed_at, seq);
create index sec_private_placements_by_accession on sec_private_placements (superseded, accession_number, filed_at, seq);
create index sec_private_placements_by_supersedes on sec_private_placements (supersedes_id) where supersedes_id is not null;

create table sec_private_placements_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_private_placements_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_private_placements_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_private_placements_search_by_words on sec_private_placements_search using gin (words) with (fastupdate = off);

create table sec_planned_sales (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null
);

create index sec_planned_sales_by_filed on sec_planned_sales (superseded, filed_at, seq);
create index sec_planned_sales_by_cik on sec_planned_sales (superseded, cik, filed_at, seq);
create index sec_planned_sales_by_ticker on sec_planned_sales (superseded, ticker, filed_at, seq);
create index sec_planned_sales_by_asset_ref on sec_planned_sales (superseded, asset_ref, filed_at, seq);
create index sec_planned_sales_by_form_type on sec_planned_sales (superseded, form_type, filed_at, seq);
create index sec_planned_sales_by_accession on sec_planned_sales (superseded, accession_number, filed_at, seq);
create index sec_planned_sales_by_supersedes on sec_planned_sales (supersedes_id) where supersedes_id is not null;

create table sec_planned_sales_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_planned_sales_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_planned_sales_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_planned_sales_search_by_words on sec_planned_sales_search using gin (words) with (fastupdate = off);

create table sec_material_events (
  seq integer primary key,
  id text not null unique,
  superseded integer not null,
  supersedes_id text,
  filed_at double precision not null,
  cik text not null,
  ticker text,
  asset_ref integer,
  form_type text not null,
  accession_number text not null,
  is_amendment integer not null
);

create index sec_material_events_by_filed on sec_material_events (superseded, filed_at, seq);
create index sec_material_events_by_cik on sec_material_events (superseded, cik, filed_at, seq);
create index sec_material_events_by_ticker on sec_material_events (superseded, ticker, filed_at, seq);
create index sec_material_events_by_asset_ref on sec_material_events (superseded, asset_ref, filed_at, seq);
create index sec_material_events_by_form_type on sec_material_events (superseded, form_type, filed_at, seq);
create index sec_material_events_by_accession on sec_material_events (superseded, accession_number, filed_at, seq);
create index sec_material_events_by_supersedes on sec_material_events (supersedes_id) where supersedes_id is not null;

create table sec_material_events_items (
  item text not null,
  filed_at double precision not null,
  seq integer not null,
  primary key (item, filed_at, seq)
) {{clustered}};

create table sec_material_events_docs (seq integer primary key, doc text not null, detail text);

-- only sqlite
create virtual table sec_material_events_search using fts5 (
  words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

-- only postgres
create table sec_material_events_search (rowid integer primary key, words tsvector not null);

-- only postgres
create index sec_material_events_search_by_words on sec_material_events_search using gin (words) with (fastupdate = off);

insert into feeds (name, last_seq, last_created_at, epoch) values
  ('sec_insider_trades', 0, 0, 0),
  ('sec_financial_filings', 0, 0, 0),
  ('sec_institutional_holdings', 0, 0, 0),
  ('sec_beneficial_ownership', 0, 0, 0),
  ('sec_private_placements', 0, 0, 0),
  ('sec_planned_sales', 0, 0, 0),
  ('sec_material_events', 0, 0, 0);
