-- database: ledger

-- Instances that may have open streams. elapsed_ms is the instance's monotonic clock at its last heartbeat. If it stops
-- advancing, other instances consider the instance dead. Its streams were open at least until then.
create table stream_instances (
  id text primary key,
  elapsed_ms bigint not null,
  is_gone integer not null
);

-- One row per open stream, which uses a slot of its account. opened_ms is on the clock of its instance. charged_ms is the
-- charged part of its time, in whole minutes: it may exceed the stream's own time if several streams share a minute. With
-- closed_ms the stream has ended and uses no slot, but its time is not settled yet.
create table streams (
  id text primary key,
  account_id text not null references accounts (id),
  api_key_id text not null,
  endpoint text not null,
  instance_id text not null references stream_instances (id),
  opened_ms bigint not null,
  charged_ms bigint not null,
  closed_ms bigint,
  opened_at bigint not null
);

create index streams_by_account on streams (account_id, opened_at, id);
create index streams_by_instance on streams (instance_id, account_id);

-- Uncharged time of ended streams, and the key of the last one. Negative if charged minutes exceeded the time: the next
-- streams have that much credit.
create table stream_time (
  account_id text primary key references accounts (id),
  carried_ms bigint not null,
  api_key_id text not null,
  endpoint text not null
);

-- The charge records of streams, as request_log is for requests.
create table stream_charges (
  id {{identity}},
  account_id text not null,
  api_key_id text not null,
  endpoint text not null,
  minutes bigint not null,
  credits bigint not null,
  transfer_id bigint not null,
  created_at bigint not null
);

create index stream_charges_by_account on stream_charges (account_id, created_at);
