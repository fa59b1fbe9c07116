-- database: ledger

-- JSON arrays: the areas of the API that the key may use, and the addresses and networks that may use the key. Null allows all.
alter table api_keys add column scopes text;

alter table api_keys add column allowed_addresses text;
