-- Numbers of entries per asset, topic and publisher: total, last day and last week. Sums of sentiment are integers in
-- millionths, which add and subtract exactly. Every asset, topic and publisher has a row.
create table asset_counts (
  ref integer primary key,
  total integer not null default 0,
  day integer not null default 0,
  day_scored integer not null default 0,
  day_sentiment bigint not null default 0,
  week integer not null default 0,
  week_scored integer not null default 0,
  week_sentiment bigint not null default 0,
  first_at bigint,
  last_at bigint
);

create table topic_counts (
  ref integer primary key,
  total integer not null default 0,
  day integer not null default 0,
  day_scored integer not null default 0,
  day_sentiment bigint not null default 0,
  week integer not null default 0,
  week_scored integer not null default 0,
  week_sentiment bigint not null default 0,
  first_at bigint,
  last_at bigint
);

create table publisher_counts (
  ref integer primary key,
  total integer not null default 0,
  day integer not null default 0,
  day_scored integer not null default 0,
  day_sentiment bigint not null default 0,
  week integer not null default 0,
  week_scored integer not null default 0,
  week_sentiment bigint not null default 0,
  first_at bigint,
  last_at bigint
);

-- Entries published up to `left_until` have left the window, all later ones count. It may differ from the current time:
-- readers settle it first.
create table count_windows (
  name text primary key,
  length_ms bigint not null,
  left_until bigint not null
);

-- Existing entries start outside of the windows. The first settlement adds the recent ones.
insert into count_windows (name, length_ms, left_until)
select 'day', 86400000, coalesce(max(published_at), 0) from entries;

insert into count_windows (name, length_ms, left_until)
select 'week', 604800000, coalesce(max(published_at), 0) from entries;

insert into asset_counts (ref, total, first_at, last_at)
select n.ref, count(e.seq), min(e.published_at), max(e.published_at)
from assets n left join entry_assets e on e.asset_ref = n.ref group by n.ref;

insert into topic_counts (ref, total, first_at, last_at)
select n.ref, count(e.seq), min(e.published_at), max(e.published_at)
from topics n left join entry_topics e on e.topic_ref = n.ref group by n.ref;

insert into publisher_counts (ref, total, first_at, last_at)
select n.ref, count(e.seq), min(e.published_at), max(e.published_at)
from publishers n left join entries e on e.publisher_ref = n.ref group by n.ref;
