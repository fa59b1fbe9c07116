-- SQLite sorts text by its bytes; so that both engines list in the same order, whatever the locale of the database:
-- only postgres
alter table assets alter column symbol type text collate "C";
