alter table entries add column author text;

-- only sqlite
update entries set author = doc ->> 'author';

-- only postgres
update entries set author = doc::json ->> 'author';

create index entries_by_author on entries (author, seq);
create index entries_by_author_published on entries (author, published_at, seq);
