-- The source comes last: with it first, SQLite prefers to walk all changes of the source by the primary key.
drop index changes_by_ref;

create index changes_by_ref on changes (ref, source, position);

drop index changes_of_known;

create index changes_of_known on changes (position, source) where action <> 'insert';
