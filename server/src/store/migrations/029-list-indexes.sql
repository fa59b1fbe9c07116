-- Lists are filtered by the symbols of assets.
create index assets_by_symbol on assets (symbol);

-- With the sentiment, so that entries are counted over time without reading their documents.
drop index entries_by_published;
create index entries_by_published on entries (published_at, seq, sentiment_score);
