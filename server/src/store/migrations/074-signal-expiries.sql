-- When a version of a signal was no longer active: it expired, or another version followed. Not before it was known.
alter table signal_versions add column active_to double precision;

update signal_versions set active_to = case
  when expires_at < known_from then known_from
  when expires_at > known_to then known_to
  else expires_at
end;

create index signal_versions_by_active_to on signal_versions (active_to);
