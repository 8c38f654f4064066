-- Businesses and their keys, vendors, rates, transactions with their timeline, and idempotency keys.
-- Identifiers compare byte by byte (collate "C"): their text order is their time order.

create table businesses (
  id text collate "C" primary key,
  name text not null check (name <> ''),
  link_tag text collate "C" not null unique,
  sandbox boolean not null default false,
  created_at timestamptz not null
);
create unique index businesses_one_sandbox on businesses (sandbox) where sandbox;

-- The wallet a buy goes to when its request names none.
create table business_wallets (
  business_id text collate "C" not null references businesses,
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text not null,
  address text not null,
  updated_at timestamptz not null,
  primary key (business_id, mode)
);

create table api_keys (
  id text collate "C" primary key,
  business_id text collate "C" not null references businesses,
  mode text collate "C" not null check (mode in ('live', 'test')),
  hash text collate "C" not null unique,
  hint text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_business on api_keys (business_id);

create table vendors (
  id text collate "C" primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  name text not null check (name <> ''),
  number text collate "C" not null check (number ~ '^[0-9]{10}$'),
  bank text not null,
  bank_code text collate "C" not null,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index vendors_one_active_account on vendors (mode, bank_code, number) where active;

-- Values are ten-thousandths of a naira per one unit of the currency.
create table rate_books (
  mode text collate "C" not null check (mode in ('live', 'test')),
  product text collate "C" not null check (product in ('otc_buy', 'usdc_ngnc')),
  spread_bps integer not null check (spread_bps between 0 and 5000),
  updated_at timestamptz not null,
  valid_until timestamptz,
  primary key (mode, product)
);
create table rate_values (
  mode text collate "C" not null,
  product text collate "C" not null,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  value_e4 bigint not null check (value_e4 > 0),
  primary key (mode, product, currency),
  foreign key (mode, product) references rate_books on delete cascade
);

-- Switches that hold for every process on this database.
create table controls (
  name text collate "C" primary key,
  value jsonb not null,
  updated_at timestamptz not null
);

-- What operators changed: append-only.
create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  detail jsonb not null
);

create type transaction_state as enum (
  'awaiting_wallet', 'awaiting_payment', 'paid', 'on_hold', 'awaiting_trustline', 'sending', 'confirming', 'completed',
  'expired', 'cancelled', 'rejected', 'refunded', 'awaiting_deposit', 'deposited', 'paying_out', 'payout_failed'
);

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
  -- Short, and one expression: a statement reads every constraint anew, constant by constant, whatever it inserts.
  -- Which state belongs to which type is the domain's to say (src/domain/records/states.ts).
  constraint transactions_sound check (
    version > 0 and amount_minor > 0 and fee_minor between 0 and amount_minor and length(account_number) = 10
    and (network is null) = (wallet_address is null)
    and (type = 'buy') = (vendor_id is not null) and (type = 'sell') = (deposits is not null))
);
-- No foreign keys on the busiest table: the statement that inserts takes business and mode from the key's own row
-- (adapters/postgres/accept/accept.ts), and businesses and keys are never deleted.
create index transactions_by_type on transactions (business_id, mode, type, created_at, id);
create index transactions_by_state on transactions (business_id, mode, type, state, created_at, id);
-- Last: while there are no statistics yet, the planner takes the newest of the indexes that look equally good.
create unique index transactions_by_reference on transactions (business_id, mode, reference);

-- The moves of a transaction after its acceptance, which is the row itself (created_at, key_id).
create table timeline (
  transaction_id text collate "C" not null,
  version integer not null,
  at timestamptz not null,
  from_state transaction_state not null,
  to_state transaction_state not null,
  actor text not null,
  reason text not null,
  primary key (transaction_id, version)
);

-- Which sell a deposit belongs to. One target, one transaction.
create table deposit_targets (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  address text collate "C" not null,
  memo text collate "C" not null default '',
  transaction_id text collate "C" not null,
  primary key (mode, network, address, memo)
);

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

-- Every process serves keys, vendors and rates from memory; this tells them to read again, with the commit itself.
create function catalogue_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('sliproad_catalogue', tg_table_name);
  return null;
end
$$;
create trigger catalogue_changed after insert or update or delete or truncate on businesses
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on business_wallets
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on api_keys
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on vendors
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on rate_books
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on rate_values
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on controls
  for each statement execute function catalogue_changed();

create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger append_only before update or delete or truncate on timeline
  for each statement execute function append_only();
create trigger append_only before update or delete or truncate on operator_log
  for each statement execute function append_only();
