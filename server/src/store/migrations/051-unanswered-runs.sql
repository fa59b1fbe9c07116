-- How many of a source's failed runs since its last success got no answer: such failures say little about the source.
alter table sources add column unanswered integer not null default 0;
