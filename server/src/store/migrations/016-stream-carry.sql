-- database: ledger

-- Stream time of an account that is not charged yet, per key and endpoint: time of ended streams minus charged minutes. It
-- is below zero while charged minutes include time of streams that are still open.
create table stream_carry (
  account_id text not null references accounts (id),
  api_key_id text not null,
  endpoint text not null,
  carried_ms bigint not null,
  primary key (account_id, api_key_id, endpoint)
);

insert into stream_carry (account_id, api_key_id, endpoint, carried_ms)
select account_id, api_key_id, endpoint, sum(ms) from (
  select account_id, api_key_id, endpoint, carried_ms as ms from stream_time
  union all
  select account_id, api_key_id, endpoint, -charged_ms as ms from streams
) as uncharged
group by account_id, api_key_id, endpoint;

drop table stream_time;

alter table streams drop column charged_ms;
