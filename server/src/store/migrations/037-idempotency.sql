-- database: ledger

-- Requests with an Idempotency-Key and their answers, without secrets. A request without an answer still runs, or the service
-- ended while it ran.
create table idempotent_requests (
  -- The account, or 'operator'.
  owner text not null,
  key text not null,
  digest text not null,
  answer text,
  started_at bigint not null,
  primary key (owner, key)
);

create index idempotent_requests_by_start on idempotent_requests (started_at);
