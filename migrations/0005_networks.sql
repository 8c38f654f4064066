-- What networks report and what a treasury signs: deposits, set-ups, spending per day, and transfers out of a treasury.

create type deposit_state as enum ('seen', 'applied', 'suspense', 'refunded', 'gone', 'written_off', 'own_funds');
create table deposits (
  id text collate "C" primary key,
  mode text collate "C" not null,
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  tx_index integer not null,
  address text collate "C" not null,
  memo text collate "C" not null default '',
  sender text collate "C",
  asset text collate "C" not null,
  amount_minor numeric(38, 0) not null,
  transaction_id text collate "C",
  state deposit_state not null,
  exception text collate "C",
  version integer not null,
  due_at timestamptz,
  tries integer not null default 0,
  seen_at timestamptz not null,
  constraint deposits_sound check (amount_minor > 0)
);
create unique index deposits_once on deposits (mode, network, tx_hash, tx_index);
create index deposits_due on deposits (due_at) where due_at is not null;
create index deposits_by_transaction on deposits (transaction_id) where transaction_id is not null;
create index deposits_unattributed on deposits (mode, seen_at) where transaction_id is null;
create index deposits_in_suspense on deposits (mode, id) where state = 'suspense';

-- Deposits that only one provider has confirmed, and those that need a second provider because the first has confirmed
-- as much as it may in an hour. Rows that no longer matter are deleted.
create table one_provider_deposits (
  mode text collate "C" not null,
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  tx_index integer not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  -- False: two providers must report the same, however long it takes.
  granted boolean not null,
  decided_at timestamptz not null,
  primary key (mode, network, tx_hash, tx_index)
);
create index one_provider_deposits_hour on one_provider_deposits (mode, network, decided_at) where granted;

-- What was signed away on a network on a day of the Lagos calendar. Counted before the signature and never given back: a
-- crash in between makes the count too high, never too low. Numeric: a token may have eighteen decimals.
create table signing_days (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  day date not null,
  spent_minor numeric(78, 0) not null check (spent_minor >= 0),
  primary key (mode, network, day)
);

-- What a treasury signed once to make a network ready: its bytes, stored before they are broadcast, and how they ended.
-- An end is recorded once, together with its cost.
create table set_ups (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  hash text collate "C" not null,
  source text collate "C" not null,
  sequence text collate "C",
  payload text not null,
  bound text,
  what text not null,
  at timestamptz not null
);
create unique index set_ups_once on set_ups (mode, network, hash);
create trigger append_only before update or delete or truncate on set_ups
  for each statement execute function append_only();

create table set_up_ends (
  mode text collate "C" not null,
  network text collate "C" not null,
  hash text collate "C" not null,
  outcome text collate "C" not null check (outcome in ('landed', 'dead', 'replaced')),
  at timestamptz not null,
  foreign key (mode, network, hash) references set_ups (mode, network, hash)
);
create unique index set_up_ends_once on set_up_ends (mode, network, hash);
create trigger append_only before update or delete or truncate on set_up_ends
  for each statement execute function append_only();

-- The last line of defence: every transfer out of a treasury is compared with what was signed, before the next signature.
-- Up to where each treasury was read:
create table outflow_positions (
  mode text collate "C" not null,
  network text collate "C" not null,
  position text not null,
  primary key (mode, network)
);

-- Transfers out of a treasury without an explanation. Their asset is halted in the same commit.
create table outflow_findings (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  asset text collate "C" not null,
  problem text collate "C" not null,
  amount_minor numeric(38, 0) not null check (amount_minor >= 0),
  recipient text,
  movement_ids jsonb not null,
  at timestamptz not null,
  primary key (mode, network, tx_hash)
);
create trigger append_only before update or delete or truncate on outflow_findings
  for each statement execute function append_only();
