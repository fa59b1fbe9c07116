-- The score of each asset of an entry, in the order of its assets, as JSON; null if the entry's score is that of all.
alter table entries add column asset_scores text;
