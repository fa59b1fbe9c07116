-- database: ledger

-- The account's customer at the payment processor, and the subscription of its plan.
alter table accounts add column customer_id text;

alter table accounts add column subscription_id text;

-- The amount paid or refunded with a transfer, in cents, and its reason.
alter table transfers add column amount_usd_cents bigint;

alter table transfers add column package_id text;

alter table transfers add column plan_slug text;

alter table transfers add column session_id text;

-- The source of the lot: the idempotency key of its transfer, or the purchase whose credits were returned.
alter table lots add column source text;

-- For credits that expire: the end of their month or hour.
alter table lots add column period_end bigint;

alter table lots add column expired bigint not null default 0;

create index lots_by_source on lots (account_id, source) where source is not null;

create index lots_by_period on lots (account_id, kind, period_end) where period_end is not null;

-- Why a key is inactive: revoked by its account, or beyond the plan's limit.
alter table api_keys add column inactive_reason text;

update api_keys set inactive_reason = 'revoked' where is_active = 0;

-- Checkouts of accounts. The row is written before the session is created, so that a crash in between loses neither.
create table checkouts (
  id text primary key,
  account_id text not null references accounts (id),
  package_id text,
  plan_slug text,
  session_id text unique,
  url text,
  -- open, processing (payment pending), paid, failed or expired
  status text not null,
  -- The last time the processor was asked about it.
  checked_at bigint not null,
  created_at bigint not null
);

create index checkouts_unsettled on checkouts (created_at) where status in ('open', 'processing');

-- An account has at most one subscription checkout at a time.
create unique index checkouts_of_subscription on checkouts (account_id)
  where plan_slug is not null and status in ('open', 'processing');

-- The last known state of subscriptions at the payment processor.
create table subscriptions (
  id text primary key,
  account_id text not null references accounts (id),
  plan_slug text not null,
  status text not null,
  -- The start of the billing months.
  anchor bigint not null,
  period_start bigint not null,
  period_end bigint not null,
  cancel_at_period_end integer not null,
  pending_plan_slug text,
  -- After a failed payment: the time until which the plan stays active.
  grace_until bigint,
  -- The last time the processor was asked about it.
  checked_at bigint not null,
  created_at bigint not null
);

create index subscriptions_by_account on subscriptions (account_id, created_at);

create index subscriptions_by_period on subscriptions (period_end) where status in ('active', 'trialing', 'past_due');

create index subscriptions_by_grace on subscriptions (grace_until) where grace_until is not null;

-- Purchases, one per checkout session of a pack and per invoice of a plan.
create table purchases (
  id text primary key,
  account_id text not null references accounts (id),
  -- The payment id that refunds and disputes refer to. Null if nothing was due.
  payment_id text,
  lot text not null,
  credits bigint not null,
  amount_usd_cents bigint not null,
  created_at bigint not null
);

create index purchases_by_payment on purchases (payment_id) where payment_id is not null;

-- Refunds and disputes: the credits to take back for each, and where they came from. The rest is the account's debt,
-- which incoming credits without an expiry repay.
create table reversals (
  id text primary key,
  account_id text not null references accounts (id),
  purchase_id text not null references purchases (id),
  kind text not null,
  amount_usd_cents bigint not null,
  credits bigint not null,
  from_lot bigint not null,
  lapsed bigint not null,
  from_others bigint not null,
  owed bigint not null,
  -- Number of its transfers, for their idempotency keys.
  changes integer not null,
  created_at bigint not null
);

create index reversals_by_purchase on reversals (purchase_id);

create index reversals_owed on reversals (account_id, created_at, id) where owed > 0;

-- Events of the payment processor, each once. They are only hints about what to look up.
create table processor_events (
  id text primary key,
  type text not null,
  about_kind text not null,
  about_id text not null,
  received_at bigint not null,
  done_at bigint,
  attempts integer not null,
  next_at bigint not null
);

create index processor_events_to_do on processor_events (next_at) where done_at is null;

-- The order of reads of an object at the payment processor. The result of an earlier read must not replace that of a
-- later one.
create table processor_reads (
  object_id text primary key,
  asked bigint not null,
  applied bigint not null
);

-- The time up to which a processor's events were checked for undelivered ones.
create table processor_sweeps (
  processor text primary key,
  until bigint not null
);

-- Locks for changes to an account at the processor, each with its expiry.
create table billing_turns (
  account_id text primary key,
  turn text not null,
  until bigint not null
);
