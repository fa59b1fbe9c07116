-- database: ledger

-- Further tokens of the operator API. Names are never used again, so that the audit trail stays unambiguous.
create table admin_tokens (
  name text primary key,
  -- read, support or owner
  scope text not null,
  prefix text not null,
  hash text not null unique,
  -- The name of the token that created it.
  created_by text not null,
  created_at bigint not null,
  revoked_at bigint
);
