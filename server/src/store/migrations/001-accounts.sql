-- database: ledger

create table accounts (
  id text primary key,
  email text unique,
  name text,
  plan_slug text not null,
  overrides text not null,
  is_active integer not null,
  is_demo integer not null,
  -- The balance: always equals the sum of the account's transfers and the remainder of its lots.
  posted bigint not null check (posted >= 0),
  period_anchor bigint not null,
  created_at bigint not null
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  prefix text not null,
  hash text not null unique,
  is_active integer not null,
  expires_at bigint,
  last_used_at bigint,
  created_at bigint not null
);

create index api_keys_by_account on api_keys (account_id, created_at);

-- Credits by origin with the remaining amount. Spent by rank, then oldest first.
create table lots (
  id {{identity}},
  account_id text not null references accounts (id),
  kind text not null,
  burn_rank integer not null,
  granted bigint not null,
  remaining bigint not null check (remaining >= 0),
  created_at bigint not null
);

create index lots_to_burn on lots (account_id, burn_rank, id) where remaining > 0;

-- Append-only. The idempotency key makes a repeated transfer a no-op.
create table transfers (
  id {{identity}},
  account_id text not null references accounts (id),
  kind text not null,
  credits bigint not null,
  balance_after bigint not null,
  description text not null,
  idempotency_key text not null unique,
  created_at bigint not null
);

create index transfers_by_account on transfers (account_id, id);

-- One row per authenticated request, except those refused with 429. A row with credits is the charge record of its
-- request and references its transfer.
create table request_log (
  seq {{identity}},
  id text not null,
  account_id text not null,
  api_key_id text not null,
  method text not null,
  path text not null,
  query text,
  status_code integer not null,
  error_code text,
  credits bigint not null,
  transfer_id bigint,
  duration_ms double precision not null,
  response_bytes bigint not null,
  created_at bigint not null
);

create index request_log_by_account on request_log (account_id, created_at, seq);

-- Daily sums of the request log, so that usage and history cost the same for any size of the log.
create table usage_daily (
  account_id text not null,
  day text not null,
  endpoint text not null,
  api_key_id text not null,
  succeeded bigint not null,
  failed bigint not null,
  rate_limited bigint not null,
  credits bigint not null,
  primary key (account_id, day, endpoint, api_key_id)
) {{clustered}};

-- Facts about the store itself.
create table store_facts (
  name text primary key,
  value text not null
);
