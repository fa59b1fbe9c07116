-- database: ledger

-- Exclusive work among the instances that share a store: the holder of a name until the lease expires, by the clock of the
-- engine. Takes the place of a table that did the same for payments only.
create table leases (
  name text primary key,
  holder text not null,
  expires_at bigint not null
);

drop table billing_turns;
