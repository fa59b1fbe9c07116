-- database: ledger

-- Thresholds below which the balance of an account is reported. `is_below` is the state after `last_transfer_id`.
create table balance_alerts (
  account_id text primary key references accounts (id),
  threshold bigint,
  webhook_url text,
  -- Part of the secret that signs webhooks; each new address has its own.
  webhook_salt text,
  by_email integer not null,
  is_below integer not null,
  last_transfer_id bigint not null,
  -- Why the last attempt to deliver a message failed. Null if it did not.
  failure text,
  failed_at bigint
);

-- Messages that are still to be delivered.
create table alert_deliveries (
  id text primary key,
  account_id text not null references balance_alerts (account_id),
  channel text not null,
  body text not null,
  attempts integer not null,
  due_at bigint not null,
  created_at bigint not null
);

create index alert_deliveries_by_due on alert_deliveries (due_at);

create index alert_deliveries_by_account on alert_deliveries (account_id);
