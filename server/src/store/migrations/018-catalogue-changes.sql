-- Every change to an asset, topic, publisher or market, or to its counts, increments the epoch of 'catalogues', the
-- version of all catalogues. Adding or editing rows also increments the epoch with the name of their table.
insert into feeds (name, last_seq, last_created_at, epoch) values
  ('catalogues', 0, 0, 0), ('assets', 0, 0, 0), ('topics', 0, 0, 0), ('publishers', 0, 0, 0);

-- only postgres
alter table feeds alter column epoch type bigint;

-- The version of the last change of each row, so that a copy in memory can read only the rows that have changed.
create table catalogue_changes (
  catalogue text not null,
  ref integer not null,
  version bigint not null,
  primary key (catalogue, ref)
) {{clustered}};

create index catalogue_changes_by_version on catalogue_changes (catalogue, version, ref);

insert into catalogue_changes (catalogue, ref, version) select 'assets', ref, 0 from assets;
insert into catalogue_changes (catalogue, ref, version) select 'topics', ref, 0 from topics;
insert into catalogue_changes (catalogue, ref, version) select 'publishers', ref, 0 from publishers;
insert into catalogue_changes (catalogue, ref, version) select 'markets', ref, 0 from markets;
