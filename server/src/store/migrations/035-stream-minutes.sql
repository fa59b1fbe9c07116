-- database: ledger

-- Minutes of streams that were charged, so that usage needs no sum over the charges.
alter table usage_daily add column stream_minutes bigint not null default 0;

-- only sqlite
update usage_daily set stream_minutes = c.minutes from (
  select account_id, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') as day, endpoint, api_key_id,
    sum(minutes) as minutes
  from stream_charges group by 1, 2, 3, 4
) c where c.account_id = usage_daily.account_id and c.day = usage_daily.day and c.endpoint = usage_daily.endpoint
  and c.api_key_id = usage_daily.api_key_id;

-- only postgres
update usage_daily set stream_minutes = c.minutes from (
  select account_id, to_char(to_timestamp(created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD') as day, endpoint, api_key_id,
    sum(minutes) as minutes
  from stream_charges group by 1, 2, 3, 4
) c where c.account_id = usage_daily.account_id and c.day = usage_daily.day and c.endpoint = usage_daily.endpoint
  and c.api_key_id = usage_daily.api_key_id;
