-- database: ledger

-- The request log of an account in blocks of five hundred to a thousand rows, newest last: the number of rows from from_at up to, but
-- not including, to_at. A total is the sum of its blocks, and a deep offset starts in the block that contains it.
create table request_log_blocks (
  account_id text not null,
  from_at bigint not null,
  to_at bigint not null,
  log_rows bigint not null,
  charged bigint not null,
  primary key (account_id, from_at)
) {{clustered}};

-- The open block of each account: the rows since from_at. closed_rows and closed_charged are the sums of its other blocks, and
-- late_rows counts the rows that were added to them after they were closed.
create table request_log_heads (
  account_id text primary key,
  from_at bigint not null,
  open_rows bigint not null,
  open_charged bigint not null,
  closed_rows bigint not null,
  closed_charged bigint not null,
  late_rows bigint not null
);

-- Equal times have equal ranks, and so share a block. The last block of an account ends at 0 until it becomes the head.
insert into request_log_blocks (account_id, from_at, to_at, log_rows, charged)
select account_id, case when block = 0 then 0 else first_at end,
  coalesce(lead(first_at) over (partition by account_id order by block), 0), log_rows, charged
from (
  select account_id, block, min(created_at) as first_at, count(*) as log_rows,
    count(*) filter (where credits > 0) as charged
  from (
    select account_id, created_at, credits,
      (rank() over (partition by account_id order by created_at) - 1) / 500 as block
    from request_log
  ) ranked
  group by account_id, block
) blocks;

insert into request_log_heads
  (account_id, from_at, open_rows, open_charged, closed_rows, closed_charged, late_rows)
select account_id, max(from_at), sum(case when to_at = 0 then log_rows else 0 end),
  sum(case when to_at = 0 then charged else 0 end), sum(case when to_at = 0 then 0 else log_rows end),
  sum(case when to_at = 0 then 0 else charged end), 0
from request_log_blocks group by account_id;

delete from request_log_blocks where to_at = 0;

-- The sums of usage_daily per day. charged_endpoints is the number of endpoints with credits: the items of the day in the
-- history.
create table usage_days (
  account_id text not null,
  day text not null,
  succeeded bigint not null,
  failed bigint not null,
  rate_limited bigint not null,
  credits bigint not null,
  charged_endpoints bigint not null,
  primary key (account_id, day)
) {{clustered}};

insert into usage_days (account_id, day, succeeded, failed, rate_limited, credits, charged_endpoints)
select account_id, day, sum(succeeded), sum(failed), sum(rate_limited), sum(credits),
  count(distinct case when credits > 0 then endpoint end)
from usage_daily group by account_id, day;

-- Rows from before migration 012 may have the time of a later transfer. The history relies on charges being of their day.
-- only sqlite
update usage_daily set
  charged_at = min(max(charged_at, unixepoch(day) * 1000), unixepoch(day) * 1000 + 86399999)
where charged_at / 86400000 <> unixepoch(day) / 86400;

-- only postgres
update usage_daily set charged_at = least(
  greatest(charged_at, extract(epoch from day::date)::bigint * 1000), extract(epoch from day::date)::bigint * 1000 + 86399999
) where charged_at / 86400000 <> extract(epoch from day::date)::bigint / 86400;
