-- Revisions and removals of entries. Like the order of insertions (entries.seq), the order of seq is the order of commits.
-- after_seq is the last entry that had been inserted by then, which merges both orders into one.
create table entry_changes (
  seq integer primary key,
  after_seq integer not null,
  entry_seq integer not null,
  entry_id text not null,
  kind text not null,
  at bigint not null
);

create index entry_changes_by_entry on entry_changes (entry_seq, seq);

-- Tombstones, which keep removed entries from being added again. change_seq is the removal in entry_changes.
create table removed_entries (
  id text primary key,
  change_seq integer not null
);

create index removed_entries_by_change on removed_entries (change_seq);

-- The id of an entry comes from its first address. Ids that its later addresses would have had.
create table entry_aliases (
  id text primary key,
  entry_id text not null
);

insert into feeds (name, last_seq, last_created_at, epoch) values ('entry_changes', 0, 0, 0);
