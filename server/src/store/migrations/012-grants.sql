-- database: ledger

-- The start of the account's next month, whose credits are not granted yet. 0 for accounts from before monthly grants:
-- theirs start with the next month.
alter table accounts add column next_period_at bigint not null default 0;

create index accounts_by_next_period on accounts (next_period_at, id);

-- The history without usage, which makes up most transfers.
create index transfers_besides_usage on transfers (account_id, created_at, id, kind) where kind <> 'usage';

-- The last charge in the row and its transfer. Null without charges. Older rows get the last transfer of the day.
alter table usage_daily add column transfer_id bigint;

alter table usage_daily add column charged_at bigint;

-- only sqlite
update usage_daily set transfer_id = t.id, charged_at = t.created_at from (
  select account_id, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') as day, max(id) as id,
    max(created_at) as created_at
  from transfers where kind = 'usage' group by 1, 2
) t where t.account_id = usage_daily.account_id and t.day = usage_daily.day and usage_daily.credits > 0;

-- only postgres
update usage_daily set transfer_id = t.id, charged_at = t.created_at from (
  select account_id, to_char(to_timestamp(created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD') as day, max(id) as id,
    max(created_at) as created_at
  from transfers where kind = 'usage' group by 1, 2
) t where t.account_id = usage_daily.account_id and t.day = usage_daily.day and usage_daily.credits > 0;

-- Charged before midnight, transferred after it.
update usage_daily set transfer_id = t.id, charged_at = t.created_at from (
  select account_id, min(id) as id, min(created_at) as created_at from transfers where kind = 'usage' group by 1
) t where t.account_id = usage_daily.account_id and usage_daily.transfer_id is null and usage_daily.credits > 0;

-- Includes the credits, so that charges are counted from the index alone.
drop index request_log_by_account;

create index request_log_by_account on request_log (account_id, created_at, seq, credits);
