-- The number of a cluster's entries by publisher, asset, topic and language: an entry joins without reading the others.
create table cluster_counts (
  cluster_seq integer not null,
  kind text not null,
  value text not null,
  count integer not null,
  primary key (cluster_seq, kind, value)
) {{clustered}};

create index cluster_counts_by_count on cluster_counts (cluster_seq, kind, count, value);

-- The number of a cluster's entries with a sentiment score, the sum of the scores and that of their squares.
alter table clusters add column scored_count integer not null default 0;
alter table clusters add column score_sum double precision not null default 0;
alter table clusters add column score_squares double precision not null default 0;

-- The cluster that a merged cluster is part of now.
create table merged_clusters (
  id text primary key,
  cluster_seq integer not null
);

create index merged_clusters_by_cluster on merged_clusters (cluster_seq);
