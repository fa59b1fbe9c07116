-- filing_value is the sum of the lines of a filing with the same owner, type and direction.

alter table sec_insider_trades add column acquired_disposed text;

alter table sec_insider_trades add column filing_value double precision not null default -9007199254740991;

create index sec_insider_trades_by_filing_value on sec_insider_trades (superseded, filing_value, seq);
create index sec_insider_trades_by_cik_filing_value on sec_insider_trades (superseded, cik, filing_value, seq);
