-- Transactions with their timeline, the deposit targets of sells, and idempotency keys.

create type transaction_state as enum (
  'awaiting_wallet', 'awaiting_payment', 'paid', 'on_hold', 'awaiting_trustline', 'sending', 'confirming', 'completed',
  'expired', 'cancelled', 'rejected', 'refunded', 'awaiting_deposit', 'deposited', 'paying_out', 'payout_failed'
);

-- The facts of a transaction: what was accepted. Never updated. No foreign keys on the busiest table: the statement that
-- inserts takes business and mode from the key's own row (adapters/postgres/accept/accept.ts), and businesses and keys are
-- never deleted.
create table transactions (
  id text collate "C" primary key,
  business_id text collate "C" not null,
  mode text collate "C" not null,
  type text collate "C" not null,
  reference text collate "C" not null,
  link_tag text not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  account_number text collate "C" not null,
  account_name text,
  bank_name text not null,
  bank_code text collate "C",
  flags text[] not null,
  vendor_id text collate "C",
  vendor_name text,
  vendor_number text collate "C",
  vendor_bank text,
  deposits jsonb,
  body_hash text collate "C" not null,
  key_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Short, and one expression: PostgreSQL reads every constraint anew for each statement, whatever it inserts.
  constraint transactions_sound check (
    amount_minor > 0 and fee_minor between 0 and amount_minor and length(account_number) = 10
    and (type = 'buy') = (vendor_id is not null) and (type = 'sell') = (deposits is not null))
);
create index transactions_by_type on transactions (business_id, mode, type, created_at, id);
-- Created last: without statistics the planner takes the newest of the indexes that look equally good.
create unique index transactions_by_reference on transactions (business_id, mode, reference);
create trigger append_only before update or delete or truncate on transactions
  for each statement execute function append_only();

-- What became of a transaction: one narrow row, inserted with the facts and updated with every move. A row with a due time
-- is work that a worker can lease; the version is the fence. Which state belongs to which type is a rule of the domain
-- (src/domain/records/states.ts). docs/decisions/0014-facts-and-state-are-two-tables.md has the figures.
create table transaction_states (
  transaction_id text collate "C" primary key,
  -- Copied from the facts for the index of lists by state.
  business_id text collate "C" not null,
  mode text collate "C" not null,
  type text collate "C" not null,
  created_at timestamptz not null,
  state transaction_state not null,
  version integer not null,
  tries integer not null default 0,
  due_at timestamptz,
  updated_at timestamptz not null,
  received_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  released boolean not null default false,
  state_reason text,
  exception text,
  tx_hash text collate "C",
  network text,
  wallet_address text,
  -- Only these two and `due_at` are indexed, not `state`: a move between states under way leaves all three as they are, so
  -- PostgreSQL writes no index entry for it (a heap-only update).
  queue transaction_state generated always as (case when due_at is not null then state end) stored,
  listed transaction_state generated always as (case
    when state in ('sending', 'confirming') then 'paid' when state = 'paying_out' then 'deposited' else state end) stored,
  constraint transaction_states_sound check (version > 0 and (network is null) = (wallet_address is null))
) with (fillfactor = 60);
create index transaction_states_due on transaction_states (queue, due_at) where due_at is not null;
create index transaction_states_listed
  on transaction_states (business_id, mode, type, listed, created_at, transaction_id);
create index transaction_states_on_hold on transaction_states (mode, transaction_id) where listed = 'on_hold';

-- The claims that a credit may pay, and only those: a row is inserted with a buy and deleted when the buy is paid. Found by
-- amount, and by the payer's account read from its end, because banks mask its beginning. Each index has a condition that
-- only its own query names: no plan can take one for the other.
create table open_claims (
  transaction_id text collate "C" primary key,
  mode text collate "C" not null,
  vendor_number text collate "C" not null,
  account_number text collate "C" not null,
  amount_minor bigint not null,
  expires_at timestamptz not null,
  reference text collate "C" not null
);
create index open_claims_by_amount on open_claims (vendor_number, amount_minor, expires_at) where amount_minor > 0;
create index open_claims_by_payer on open_claims ((vendor_number || ' ' || reverse(account_number)) collate "C")
  where vendor_number <> '';

-- The moves of a transaction after its acceptance, which is the row itself (created_at, key_id). A line is also the event
-- that other systems are notified of; `committed_by` gives readers an order that no open database transaction can break.
create table timeline (
  transaction_id text collate "C" not null,
  version integer not null,
  at timestamptz not null,
  from_state transaction_state not null,
  to_state transaction_state not null,
  actor text not null,
  reason text not null,
  evidence jsonb,
  committed_by bigint not null default pg_current_xact_id()::text::bigint,
  primary key (transaction_id, version)
);
create trigger append_only before update or delete or truncate on timeline
  for each statement execute function append_only();

-- Which sell a deposit belongs to. One target belongs to one transaction.
create table deposit_targets (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  address text collate "C" not null,
  memo text collate "C" not null default '',
  transaction_id text collate "C" not null,
  primary key (mode, network, address, memo)
);
create index deposit_targets_recent on deposit_targets (mode, network, transaction_id);

create table idempotency_keys (
  business_id text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  key text collate "C" not null,
  request_hash text collate "C" not null,
  transaction_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (business_id, mode, key)
);
create index idempotency_keys_by_age on idempotency_keys using brin (created_at);
