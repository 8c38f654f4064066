-- Rails that paid a payout which they had refused. While a rail is here its refusals prove nothing: no payout of it goes to another
-- rail, and no tokens go home, because of them, until two people trust the rail again.
create table rail_doubts (
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  -- The payout, or the refund, that it paid after all.
  movement_id text collate "C" not null,
  since timestamptz not null,
  primary key (mode, rail)
);
create trigger catalogue_changed after insert or update or delete or truncate on rail_doubts
  for each statement execute function catalogue_changed();

-- Payouts by bank that wait for an answer: people look through those that wait for long, whatever the rail said first.
create index movements_open_by_bank on movements (mode, id) where network is null and state in ('sending', 'unknown');
