-- database: ledger

-- The requests of operators, append-only. A row is written before the request takes effect; its status and target are set once, before
-- the answer is sent. A row without a status is of a request that was interrupted.
create table audit_trail (
  seq {{identity}},
  request_id text not null,
  token text not null,
  method text not null,
  route text not null,
  target text,
  summary text,
  status_code integer,
  created_at bigint not null
);

create index audit_trail_by_time on audit_trail (created_at, seq);

create index audit_trail_by_token on audit_trail (token, created_at, seq);

create index audit_trail_by_target on audit_trail (target, created_at, seq);
