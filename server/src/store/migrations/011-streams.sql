-- Instances that may hold streams open. elapsed_ms is the instance's own clock, which never jumps, at its last beat: one
-- that stands still tells the others that the instance is dead, and up to there its streams were surely open.
create table stream_instances (
  id text primary key,
  elapsed_ms bigint not null,
  is_gone integer not null
);

-- A row per open stream: a slot of its account. opened_ms is on the clock of its instance; charged_ms is the part of its
-- time that has been charged, and whole minutes: it may run ahead of one stream where several make up a minute. With
-- closed_ms it has ended and its time waits to be reckoned: it takes no slot any more.
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

-- Time of streams that have ended and was not charged, and whose the last of them was. Below zero when charged minutes
-- ran ahead: then the next streams have that much paid already.
create table stream_time (
  account_id text primary key references accounts (id),
  carried_ms bigint not null,
  api_key_id text not null,
  endpoint text not null
);

-- The charge records of streams: what request_log is for calls.
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
