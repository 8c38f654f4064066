-- Money that leaves, and money between our own wallets: each movement with its attempts and their signed bytes.

-- A send of tokens, a bank payout, a refund by either, a sweep from a deposit address, or a withdrawal by the operator.
create type movement_state as enum ('pending', 'sending', 'unknown', 'done', 'failed');
create table movements (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('send', 'payout', 'refund', 'sweep', 'withdrawal')),
  mode text collate "C" not null,
  network text collate "C",
  asset text collate "C" not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  -- A sweep may be worth less than a kobo.
  naira_minor bigint not null
    constraint movements_naira_minor_check check (naira_minor > 0 or (kind = 'sweep' and naira_minor = 0)),
  transaction_id text collate "C",
  credit_id text collate "C",
  deposit_id text collate "C",
  destination jsonb,
  state movement_state not null,
  reason text,
  version integer not null,
  attempts integer not null default 0,
  due_at timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index movements_due on movements (due_at) where due_at is not null;
-- One payout of a sell, one send of a buy: a second one is refused while the first may still happen.
create unique index movements_one_alive on movements (transaction_id)
  where kind in ('send', 'payout') and state <> 'failed';
create index movements_by_credit on movements (credit_id) where credit_id is not null;
create index movements_refunds on movements (transaction_id) where kind = 'refund';
create index movements_stuck_refunds on movements (mode, id)
  where kind = 'refund' and (state = 'failed' or (state = 'pending' and destination is null));
create index movements_in_flight on movements (mode, network)
  where network is not null and state in ('sending', 'unknown');
create index movements_unswept on movements (mode, network) where kind = 'sweep' and state <> 'done';

-- One hash may carry several movements, each with an index of its own inside the envelope; the first of them holds the
-- bytes and the list of all. An attempt goes to a network or to a bank's rail, never to both.
create table movement_attempts (
  movement_id text collate "C" not null,
  no integer not null,
  mode text collate "C" not null,
  network text collate "C",
  rail text collate "C",
  reference text collate "C" not null,
  source text collate "C",
  sequence text collate "C",
  payload text,
  bound text,
  envelope_index integer not null default 0,
  orders jsonb,
  state text collate "C" not null
    check (state in ('prepared', 'accepted', 'unknown', 'rejected', 'landed', 'failed', 'dead')),
  evidence jsonb,
  at timestamptz not null,
  updated_at timestamptz not null,
  -- Indexes name these and not `state`: a change of state that leaves all three as they are writes no index entry.
  holds_sequence boolean not null generated always as (state not in ('rejected', 'dead')) stored,
  may_land boolean not null generated always as (state in ('prepared', 'accepted', 'unknown')) stored,
  not_paid boolean not null generated always as (state in ('dead', 'rejected', 'failed')) stored,
  primary key (movement_id, no),
  constraint movement_attempts_one_way check (num_nonnulls(network, rail) = 1)
) with (fillfactor = 70);
create unique index movement_attempts_one_place on movement_attempts (mode, network, reference, envelope_index)
  where network is not null;
-- A sequence number of a wallet belongs to one set of bytes that may still land or has landed.
create unique index movement_attempts_one_sequence on movement_attempts (mode, network, source, (sequence::numeric))
  where sequence is not null and envelope_index = 0 and holds_sequence;
create index movement_attempts_live on movement_attempts (mode, network, source)
  where sequence is not null and envelope_index = 0 and may_land;
-- Hashes that were declared dead are asked about for a week.
create index movement_attempts_dead on movement_attempts (mode, network, reference)
  where network is not null and envelope_index = 0 and not_paid;

-- The same payments signed again with the same sequence number: at most one of all versions lands.
create table attempt_replacements (
  mode text collate "C" not null,
  network text collate "C" not null,
  reference text collate "C" not null,
  no integer not null check (no > 1),
  hash text collate "C" not null,
  payload text not null,
  bound text,
  at timestamptz not null,
  primary key (mode, network, reference, no)
);
create unique index attempt_replacements_one_hash on attempt_replacements (mode, network, hash);
create trigger append_only before update or delete or truncate on attempt_replacements
  for each statement execute function append_only();
