-- The run that reads all entries again, if there has been one. Every instance can start, pause and continue it.
create table reindex_run (
  id integer primary key check (id = 1),
  is_wanted integer not null,
  total integer not null,
  changed integer not null,
  error text
);
