-- Who may call and under which rules: businesses, their keys and wallets, vendors, rates, fees, limits and switches.
-- Identifiers compare byte by byte (collate "C"): their text order is their time order.

-- Every process serves the catalogue from memory. This notifies all of them, with the commit itself, to read it again.
create function catalogue_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('sliproad_catalogue', tg_table_name);
  return null;
end
$$;

-- Refuses every change of a row that was written once.
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create table businesses (
  id text collate "C" primary key,
  name text not null check (name <> ''),
  link_tag text collate "C" not null unique,
  sandbox boolean not null default false,
  created_at timestamptz not null
);
create unique index businesses_one_sandbox on businesses (sandbox) where sandbox;

-- The wallet of a buy whose request names no wallet.
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

-- What a transaction costs. A row without a business is the default for every business without a row of its own.
-- Append-only: a fee is changed by a newer row, so what was charged can always be explained.
create table fees (
  id bigint generated always as identity primary key,
  business_id text collate "C" references businesses,
  mode text collate "C" not null check (mode in ('live', 'test')),
  product text collate "C" not null check (product in ('buy', 'sell')),
  flat_minor bigint not null check (flat_minor >= 0),
  fee_bps integer not null check (fee_bps between 0 and 5000),
  cap_minor bigint check (cap_minor >= flat_minor),
  effective_from timestamptz not null,
  created_at timestamptz not null
);

-- How much a business may move before a reviewer has to look. Null: no limit of that kind.
create table limits (
  business_id text collate "C" references businesses,
  mode text collate "C" not null check (mode in ('live', 'test')),
  per_transaction_minor bigint check (per_transaction_minor > 0),
  per_day_minor bigint check (per_day_minor > 0),
  per_month_minor bigint check (per_month_minor > 0),
  updated_at timestamptz not null,
  constraint limits_one_each unique nulls not distinct (business_id, mode)
);

-- What a business has moved in a period of the Lagos calendar, a day ('2026-11-14') or a month ('2026-11'), beside the
-- limit it was counted against: two processes that each see room cannot exceed the limit together.
create table limit_usage (
  business_id text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  period text collate "C" not null,
  used_minor bigint not null check (used_minor >= 0),
  limit_minor bigint,
  primary key (business_id, mode, period),
  constraint limit_usage_within check (limit_minor is null or used_minor <= limit_minor)
);

-- A business whose money movements are stopped.
create table freezes (
  business_id text collate "C" not null,
  mode text collate "C" not null,
  reason text not null,
  at timestamptz not null,
  primary key (business_id, mode)
);

-- Sends of this mode and asset are stopped until an operator resumes them.
create table halts (
  mode text collate "C" not null,
  asset text collate "C" not null,
  reason text not null,
  at timestamptz not null,
  primary key (mode, asset)
);

-- Switches that hold for every process on this database.
create table controls (
  name text collate "C" primary key,
  value jsonb not null,
  updated_at timestamptz not null
);

-- What operators changed.
create table operator_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  detail jsonb not null
);

create trigger append_only before update or delete or truncate on fees
  for each statement execute function append_only();
create trigger append_only before update or delete or truncate on operator_log
  for each statement execute function append_only();

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
create trigger catalogue_changed after insert or update or delete or truncate on fees
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on limits
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on freezes
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on halts
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on controls
  for each statement execute function catalogue_changed();
