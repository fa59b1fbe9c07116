-- Log of inserts, revisions and removals of records, in the order of commits. A record has at most one insert and one
-- revision in it, the last one; its removal replaces both. `source` is the list of the record, `ref` its key there.
-- record_id is that of a removed record: an entry with such an id must not be added again.
create table changes (
  source text not null,
  position bigint not null,
  ref integer not null,
  action text not null,
  record_id text,
  at bigint not null,
  primary key (source, position)
) {{clustered}};

insert into changes (source, position, ref, action, record_id, at)
select 'entries', max(c.seq), c.entry_seq, 'revision', null, max(c.at) from entry_changes c
join entries e on e.seq = c.entry_seq where c.kind = 'revised' group by c.entry_seq;

insert into changes (source, position, ref, action, record_id, at)
select 'entries', seq, entry_seq, 'removal', entry_id, at from entry_changes where kind = 'removed';

-- only postgres
alter table feeds alter column last_seq type bigint;

-- The epoch counts removals.
update feeds set name = 'changes' where name = 'entry_changes';

drop table entry_changes;

drop table removed_entries;

-- The number of changes of each source.
create table change_counts (
  source text primary key,
  count bigint not null
);
