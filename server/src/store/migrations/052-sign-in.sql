-- database: ledger

-- People who sign in to the dashboard.
create table users (
  id text primary key,
  -- In lower case. Null for an owner who has not set one.
  email text,
  is_confirmed integer not null,
  password_hash text,
  account_id text references accounts (id),
  -- The scope of the owner. That of others follows from the settings.
  operator_scope text,
  -- Issuer and subject of a user who signs in through OpenID Connect.
  oidc_subject text,
  -- The encrypted secret of the second factor; it counts once it is confirmed.
  totp_secret text,
  totp_confirmed_at bigint,
  -- The time step of the last code that was used.
  totp_step bigint,
  created_at bigint not null
);

create unique index users_by_email on users (email) where oidc_subject is null;

create unique index users_by_oidc_subject on users (oidc_subject);

create index users_by_account on users (account_id);

create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  hash text not null,
  primary key (user_id, hash)
);

create table sessions (
  id text primary key,
  hash text not null unique,
  user_id text not null references users (id) on delete cascade,
  address text not null,
  browser text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);

create index sessions_by_user on sessions (user_id);

create index sessions_by_expiry on sessions (expires_at);

create index sessions_by_last_use on sessions (last_used_at);

-- Tokens with which the page of a session calls the API or the operator API.
create table session_tokens (
  hash text primary key,
  session_id text not null references sessions (id) on delete cascade,
  -- account or operator
  audience text not null,
  created_at bigint not null,
  expires_at bigint not null
);

create index session_tokens_by_session on session_tokens (session_id, audience, created_at);

create index session_tokens_by_expiry on session_tokens (expires_at);

-- One-time links. A link to sign up has the address of the user that it creates.
create table sign_in_links (
  hash text primary key,
  -- sign-in, sign-up, email or reset
  kind text not null,
  user_id text references users (id) on delete cascade,
  email text,
  created_at bigint not null,
  expires_at bigint not null
);

create index sign_in_links_by_user on sign_in_links (user_id);

create index sign_in_links_by_expiry on sign_in_links (expires_at);

-- Failed attempts by address, user or browser, which delay the next attempt.
create table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_at bigint not null
);

create index sign_in_failures_by_time on sign_in_failures (last_at);

-- `key`, or `dashboard` for the calls of an account's sessions, whose tokens are in session_tokens.
alter table api_keys add column kind text not null default 'key';

-- The session whose token opened the stream.
alter table streams add column session_id text;
