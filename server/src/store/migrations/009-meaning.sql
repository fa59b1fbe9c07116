-- What the text of an entry means to a model: half-precision numbers, a unit vector.
create table entry_vectors (
  seq integer primary key,
  model text not null,
  vector {{blob}} not null
);

-- How far a task that follows the feed of entries has come: it is done with those with low < seq <= high.
create table feed_progress (
  task text primary key,
  low integer not null,
  high integer not null
);

-- Entries that are there already have their stories.
insert into feed_progress (task, low, high) select 'stories', 0, last_seq from feeds where name = 'entries';

-- The words by which entries are found to be about the topic, where the operator has given some.
alter table topics add column terms text;
