alter table assets add column figi text;
alter table assets add column lei text;
alter table assets add column former_symbols text not null default '[]';

-- Sort keys of names: lower case, compared by bytes, so that both engines sort alike.
alter table assets add column sort_name text {{bytes}} not null default '';
alter table topics add column sort_name text {{bytes}} not null default '';
alter table publishers add column sort_name text {{bytes}} not null default '';

update assets set sort_name = lower(name);
update topics set sort_name = lower(name);
update publishers set sort_name = lower(name);

-- Filter keys, independent of the letter case.
alter table assets add column exchange_key text;
alter table assets add column sector_key text;
update assets set exchange_key = upper(exchange), sector_key = lower(sector);

-- SQLite sorts text by bytes. PostgreSQL must do the same, whatever the locale of the database.
-- only postgres
alter table assets alter column symbol type text collate "C";

-- Search words of an asset, topic or publisher, each preceded by a space.
alter table assets add column words text not null default '';
alter table topics add column words text not null default '';
alter table publishers add column words text not null default '';

update assets set words = ' ' || lower(key) || ' ' || lower(symbol) || ' ' || lower(name);
update topics set words = ' ' || lower(name);
update publishers set words = ' ' || lower(name) || ' ' || lower(domain);

-- Slugs from the root down to the topic, as JSON.
alter table topics add column path text not null default '[]';
alter table topics add column depth integer not null default 0;

with recursive tree (id, path, depth) as (
  select id, '["' || slug || '"]', 0 from topics where parent_id is null
  union all
  select t.id, substr(tree.path, 1, length(tree.path) - 1) || ',"' || t.slug || '"]', tree.depth + 1
  from topics t join tree on t.parent_id = tree.id
)
update topics set
  path = (select tree.path from tree where tree.id = topics.id),
  depth = (select tree.depth from tree where tree.id = topics.id);

create index topics_by_parent on topics (parent_id);
