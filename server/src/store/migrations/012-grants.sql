-- When the next month of the account begins, for which it is still to get its credits. 0 for accounts that were opened
-- before months were granted: theirs begin with the next one.
alter table accounts add column next_period_at bigint not null default 0;

create index accounts_by_next_period on accounts (next_period_at, id);
