-- Transactions with their timeline, the deposit targets of sells, and idempotency keys.

create type transaction_state as enum (
  'awaiting_wallet', 'awaiting_payment', 'paid', 'on_hold', 'awaiting_trustline', 'sending', 'confirming', 'completed',
  'expired', 'cancelled', 'rejected', 'refunded', 'awaiting_deposit', 'deposited', 'paying_out', 'payout_failed'
);

-- The state is the queue: a row with a due time is work that a worker can lease.
create table transactions (
  id text collate "C" primary key,
  business_id text collate "C" not null,
  mode text collate "C" not null,
  type text collate "C" not null,
  reference text collate "C" not null,
  link_tag text not null,
  state transaction_state not null,
  state_reason text,
  version integer not null,
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
  network text,
  wallet_address text,
  deposits jsonb,
  exception text,
  body_hash text collate "C" not null,
  key_id text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  due_at timestamptz,
  tries integer not null default 0,
  tx_hash text collate "C",
  received_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  released boolean not null default false,
  -- Short, and one expression: PostgreSQL reads every constraint anew for each statement, whatever it inserts.
  -- Which state belongs to which type is a rule of the domain (src/domain/records/states.ts).
  constraint transactions_sound check (
    version > 0 and amount_minor > 0 and fee_minor between 0 and amount_minor and length(account_number) = 10
    and (network is null) = (wallet_address is null)
    and (type = 'buy') = (vendor_id is not null) and (type = 'sell') = (deposits is not null))
);
-- No foreign keys on the busiest table: the statement that inserts takes business and mode from the key's own row
-- (adapters/postgres/accept/accept.ts), and businesses and keys are never deleted.
create index transactions_by_type on transactions (business_id, mode, type, created_at, id);
create index transactions_by_state on transactions (business_id, mode, type, state, created_at, id);
-- Created after the two above: without statistics the planner takes the newest of the indexes that look equally good.
create unique index transactions_by_reference on transactions (business_id, mode, reference);
create index transactions_due on transactions (state, due_at) where due_at is not null;
-- The claims that a credit may pay: by amount, and by the payer's account read from its end, because banks mask its
-- beginning. Each index has a condition that only its own query names: no plan can take one for the other.
create index transactions_open_amounts on transactions (vendor_number, amount_minor, expires_at)
  where type = 'buy' and state in ('awaiting_wallet', 'awaiting_payment', 'expired', 'on_hold', 'cancelled')
    and amount_minor > 0;
create index transactions_open_payers on transactions ((vendor_number || ' ' || reverse(account_number)) collate "C")
  where type = 'buy' and state in ('awaiting_wallet', 'awaiting_payment', 'expired', 'on_hold', 'cancelled')
    and vendor_number <> '';
create index transactions_on_hold on transactions (mode, id) where state = 'on_hold';

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
