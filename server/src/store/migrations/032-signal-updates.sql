-- When a signal was found, last changed or superseded, as of each version.
alter table signals add column updated_at double precision not null default 0;

alter table signal_versions add column updated_at double precision not null default 0;

-- Signals from before versions were kept are known from their expiry.
update signal_versions set updated_at = case when known_from = expires_at then generated_at else known_from end;

update signals set updated_at = coalesce(
  (select max(v.updated_at) from signal_versions v where v.signal_id = signals.id and v.known_to is null), generated_at
);

create index signals_by_updated on signals (updated_at, seq);
create index signal_versions_by_updated on signal_versions (updated_at, seq);

-- Whether the event is the first of its signal: new or updated.
alter table signal_events add column change text not null default 'updated';
