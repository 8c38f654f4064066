-- Books that follow the real naira: which of our bank accounts a movement is paid from, payouts that came back, and payouts that
-- were made after the bank had said that they were not.

-- Our bank account that the naira of a movement are reserved in, by its name in the ledger.
alter table movements add column bank_account text collate "C";

-- One payout of a sell, one send of a buy: a second one is refused while the first may still happen, or has happened and did not
-- come back.
drop index movements_one_alive;
create unique index movements_one_alive on movements (transaction_id)
  where kind in ('send', 'payout') and state not in ('failed', 'returned');

alter table bank_notices drop constraint bank_notices_kind_check;
alter table bank_notices add constraint bank_notices_kind_check
  check (kind in ('credit_reversed', 'payout_returned', 'payout_paid_late'));

-- A movement comes back once, and is paid late once.
drop index cases_one_return;
create unique index cases_one_return on cases (movement_id, kind) where movement_id is not null;
-- How a case ended; null while it is open.
alter table cases add column outcome text collate "C";

-- Naira that people moved at a bank, as two of them booked it: each line of a bank statement once.

create table naira_moves (
  id text collate "C" primary key,
  mode text collate "C" not null,
  kind text collate "C" not null,
  -- Which charge or levy; empty for everything else.
  charge text collate "C" not null,
  -- The bank account whose statement shows it, and the one that got the naira, by their names in the ledger.
  account text collate "C" not null,
  to_account text collate "C",
  amount_minor bigint not null check (amount_minor > 0),
  day date not null,
  reference text collate "C" not null,
  proposal_id text collate "C" not null references proposals (id),
  at timestamptz not null
);
create unique index naira_moves_once on naira_moves (mode, kind, charge, account, reference);
create trigger append_only before update or delete or truncate on naira_moves
  for each statement execute function append_only();
