-- Lists are filtered by the symbols of assets.
create index assets_by_symbol on assets (symbol);
