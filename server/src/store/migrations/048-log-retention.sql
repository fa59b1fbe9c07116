-- database: ledger

-- Credits of the transfer's requests that are no longer in the log.
alter table transfers add column removed_credits bigint not null default 0;

-- Rows of the account that are no longer in the log.
alter table request_log_heads add column removed_rows bigint not null default 0;
