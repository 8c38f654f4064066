-- Test mode only: what the simulated networks and the simulated bank know, which the service may learn only by asking
-- them. Nothing here is read or written for live mode. Times are milliseconds of the simulation's own clock.

-- The scenario that a transaction was created with, and its next step. Stored in the commit that accepts the transaction.
create table simulated_plays (
  transaction_id text collate "C" primary key,
  scenario text not null,
  step integer not null default 0,
  version integer not null default 1,
  due_at timestamptz,
  wallet_asked_at_ms bigint
);
create index simulated_plays_due on simulated_plays (due_at) where due_at is not null;

-- Signed payments that were broadcast, and the proofs that one can no longer land. The fate is decided once, by the
-- first process that asks.
create table simulated_transfers (
  order_id text collate "C" not null,
  hash text collate "C" not null,
  network text collate "C" not null,
  about text collate "C",
  address text collate "C" not null,
  amount_minor numeric(38, 0) not null,
  fate text collate "C" not null,
  at_ms bigint not null,
  included_at_ms bigint not null,
  final_at_ms bigint not null,
  tries integer not null default 1,
  primary key (order_id, hash)
);
create index simulated_transfers_by_end on simulated_transfers (network, final_at_ms);

-- Logs are read after a position. A writer holds one lock from before the number is drawn until the commit, so numbers
-- become visible in their order and a reader can never pass one that is still to come.
create sequence simulated_positions;

-- Tokens that came in. A row that is reported again takes a new position.
create table simulated_arrivals (
  id text collate "C" primary key,
  position bigint not null default nextval('simulated_positions'),
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  tx_index integer not null,
  address text collate "C" not null,
  memo text collate "C",
  sender text collate "C",
  our_token boolean not null,
  amount_minor numeric(38, 0) not null,
  fate text collate "C" not null,
  at_ms bigint not null,
  settled_at_ms bigint not null,
  tries integer not null default 1
);
create unique index simulated_arrivals_by_position on simulated_arrivals (network, position);
create unique index simulated_arrivals_once on simulated_arrivals (network, tx_hash, tx_index);

create table simulated_payouts (
  reference text collate "C" primary key,
  about text collate "C",
  bank_code text collate "C" not null,
  account_number text collate "C" not null,
  amount_minor bigint not null,
  charge_minor bigint not null,
  session_id text collate "C" not null,
  fate text collate "C" not null,
  at_ms bigint not null,
  settled_at_ms bigint not null,
  tries integer not null default 1
);
create index simulated_payouts_by_transaction on simulated_payouts (about) where about is not null;

-- The statement of our accounts at the simulated bank, line by line as it is reported: a line reported twice is here twice.
create table simulated_statement (
  position bigint primary key default nextval('simulated_positions'),
  kind text collate "C" not null,
  source_id text collate "C" not null,
  copy integer not null,
  reported_at_ms bigint not null,
  line jsonb not null,
  tries integer not null default 1
);
create unique index simulated_statement_once on simulated_statement (kind, source_id, copy);
