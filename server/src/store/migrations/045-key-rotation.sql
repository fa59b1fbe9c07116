-- database: ledger

-- The number of the current secret, which the hash is of: it grows by one with each rotation.
alter table api_keys add column secret_number integer not null default 1;

-- The secret before it, while it still works.
alter table api_keys add column old_hash text;

alter table api_keys add column old_hash_expires_at bigint;

create unique index api_keys_by_old_hash on api_keys (old_hash);
