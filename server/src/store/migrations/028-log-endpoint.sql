-- database: ledger

-- Method and route pattern, such as GET /entries/:id. Rows from before this migration have none.
alter table request_log add column endpoint text;
