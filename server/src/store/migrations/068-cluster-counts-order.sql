-- Equally common values are listed in the same order whatever the locale of the database.

-- only postgres
alter table cluster_counts alter column value type text collate "C";
