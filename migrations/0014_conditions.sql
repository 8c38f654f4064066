-- What a change demands of the sum of several accounts: src/adapters/postgres/commit/statement.ts casts the sum to this type,
-- which refuses one below zero.

create domain not_negative_together as numeric constraint accounts_together_not_negative check (value >= 0);
