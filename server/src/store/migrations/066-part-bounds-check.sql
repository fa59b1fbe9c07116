-- Reads both tables without blocking their readers and writers.

-- only postgres
alter table request_log validate constraint request_log_bound;

-- only postgres
alter table candle_blocks validate constraint candle_blocks_bound;
