-- database: ledger

-- Why the operator suspended the account.
alter table accounts add column suspended_reason text;

-- A deleted account has neither email nor name, and its keys are revoked. Its money and its usage stay.
alter table accounts add column deleted_at bigint;

-- Of a deleted account: the time from which rows of the request log may still have paths and queries. Null if none has.
alter table accounts add column clear_log_from bigint;

create index accounts_to_clear on accounts (id) where clear_log_from is not null;

-- For searches by prefix.
create index accounts_by_email on accounts (email {{bytes}});
