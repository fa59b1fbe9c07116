-- Who the account is for the payment processor, and the subscription that its plan comes from.
alter table accounts add column customer_id text;

alter table accounts add column subscription_id text;

-- What was paid or paid back with a transfer, in cents, and for what.
alter table transfers add column amount_usd_cents bigint;

alter table transfers add column package_id text;

alter table transfers add column plan_slug text;

alter table transfers add column session_id text;

-- The occasion of the lot: the idempotency key of the transfer that brought it, or the purchase it was paid back from.
alter table lots add column source text;

-- Of credits that expire: the end of the month, or hour, that they are for.
alter table lots add column period_end bigint;

alter table lots add column expired bigint not null default 0;

create index lots_by_source on lots (account_id, source) where source is not null;

create index lots_by_period on lots (account_id, kind, period_end) where period_end is not null;

-- Why a key is not active: revoked by its account, or more than the plan allows.
alter table api_keys add column inactive_reason text;

update api_keys set inactive_reason = 'revoked' where is_active = 0;

-- What accounts have gone to pay for. The row comes before the session, so that a crash between loses neither.
create table checkouts (
  id text primary key,
  account_id text not null references accounts (id),
  package_id text,
  plan_slug text,
  session_id text unique,
  url text,
  -- open; processing: the payment is on its way; paid; failed; expired
  status text not null,
  -- When it was last asked about.
  checked_at bigint not null,
  created_at bigint not null
);

create index checkouts_unsettled on checkouts (created_at) where status in ('open', 'processing');

-- One subscription at a time can be gone for.
create unique index checkouts_of_subscription on checkouts (account_id)
  where plan_slug is not null and status in ('open', 'processing');

-- Subscriptions as the payment processor last told of them.
create table subscriptions (
  id text primary key,
  account_id text not null references accounts (id),
  plan_slug text not null,
  status text not null,
  -- The time from which its months are counted.
  anchor bigint not null,
  period_start bigint not null,
  period_end bigint not null,
  cancel_at_period_end integer not null,
  pending_plan_slug text,
  -- While a payment has failed: until when the plan stays in force.
  grace_until bigint,
  -- When it was last asked about.
  checked_at bigint not null,
  created_at bigint not null
);

create index subscriptions_by_account on subscriptions (account_id, created_at);

create index subscriptions_by_period on subscriptions (period_end) where status in ('active', 'trialing', 'past_due');

create index subscriptions_by_grace on subscriptions (grace_until) where grace_until is not null;

-- What was paid for, once per session of a pack and per invoice of a plan.
create table purchases (
  id text primary key,
  account_id text not null references accounts (id),
  -- Names the payment where refunds and disputes do. Null where nothing had to be paid.
  payment_id text,
  lot text not null,
  credits bigint not null,
  amount_usd_cents bigint not null,
  created_at bigint not null
);

create index purchases_by_payment on purchases (payment_id) where payment_id is not null;

-- Refunds and disputes: the credits to be taken back for each, and where they were got. What is owed is the debt of
-- the account; whatever comes in that does not expire pays it back.
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
  -- Counts its transfers, for their keys.
  changes integer not null,
  created_at bigint not null
);

create index reversals_by_purchase on reversals (purchase_id);

create index reversals_owed on reversals (account_id, created_at, id) where owed > 0;

-- Events of the payment processor, each once. They only say where to look.
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

-- The order in which an object was asked for at the payment processor. An answer to an earlier question must not
-- replace the answer to a later one.
create table processor_reads (
  object_id text primary key,
  asked bigint not null,
  applied bigint not null
);

-- Up to which time the events of a processor were looked through for such as were never delivered.
create table processor_sweeps (
  processor text primary key,
  until bigint not null
);

-- Who is changing something of an account at the processor, until when at most.
create table billing_turns (
  account_id text primary key,
  turn text not null,
  until bigint not null
);
