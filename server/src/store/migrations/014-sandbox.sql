-- database: ledger

-- Objects of the payment sandbox. document is the object as Stripe's API returns it. notes holds facts that Stripe never
-- shows (whether a card works, the purpose of a session). The columns after them are for lists. label is the lookup key of
-- a price and the type of an event. seq is the order of creation. At due_at the object changes by itself: it expires,
-- renews, or collects again.
create table sandbox_objects (
  seq {{identity}},
  id text not null unique,
  kind text not null,
  document text not null,
  notes text not null,
  created_at bigint not null,
  customer text,
  subscription text,
  invoice text,
  payment_intent text,
  label text,
  due_at bigint
);

create index sandbox_objects_by_kind on sandbox_objects (kind, seq);
create index sandbox_objects_by_time on sandbox_objects (kind, created_at, seq);
create index sandbox_objects_by_label on sandbox_objects (kind, label, seq) where label is not null;
create index sandbox_objects_by_customer on sandbox_objects (customer, kind, seq) where customer is not null;
create index sandbox_objects_by_subscription on sandbox_objects (subscription, kind, seq) where subscription is not null;
create index sandbox_objects_by_invoice on sandbox_objects (invoice, kind, seq) where invoice is not null;
create index sandbox_objects_by_payment on sandbox_objects (payment_intent, kind, seq) where payment_intent is not null;
create index sandbox_objects_due on sandbox_objects (due_at, seq) where due_at is not null;

-- A lookup key identifies one price.
create unique index sandbox_prices_by_lookup_key on sandbox_objects (label) where kind = 'price';

-- Events that the service has not accepted yet. next_at also keeps other instances away while one delivers.
create table sandbox_deliveries (
  event_id text primary key references sandbox_objects (id),
  attempts integer not null,
  created_at bigint not null,
  next_at bigint not null
);

create index sandbox_deliveries_due on sandbox_deliveries (next_at, event_id);

-- Responses to repeat for a repeated idempotency key. request is a digest of the original request.
create table sandbox_answers (
  idempotency_key text primary key,
  request text not null,
  status integer not null,
  body text not null,
  created_at bigint not null
);

create index sandbox_answers_by_age on sandbox_answers (created_at);
