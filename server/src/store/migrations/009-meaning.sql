-- Embeddings of entries: unit vectors of half-precision numbers.
create table entry_vectors (
  seq integer primary key,
  model text not null,
  vector {{blob}} not null
);

-- Checkpoints of tasks that follow the feed of entries: a task has processed low < seq <= high.
create table feed_progress (
  task text primary key,
  low integer not null,
  high integer not null
);

-- Existing entries are already clustered.
insert into feed_progress (task, low, high) select 'stories', 0, last_seq from feeds where name = 'entries';

-- The operator's own terms for assigning entries to the topic.
alter table topics add column terms text;
