-- What a transaction costs, and how much a business may move before a person looks at it. A row without a business is
-- the default of every business that has none of its own.

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

-- Null: no limit of that kind.
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
-- limit it was counted against: two processes that each see room cannot overshoot it together.
create table limit_usage (
  business_id text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  period text collate "C" not null,
  used_minor bigint not null check (used_minor >= 0),
  limit_minor bigint,
  primary key (business_id, mode, period),
  constraint limit_usage_within check (limit_minor is null or used_minor <= limit_minor)
);

create trigger catalogue_changed after insert or update or delete or truncate on fees
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on limits
  for each statement execute function catalogue_changed();
create trigger append_only before update or delete or truncate on fees
  for each statement execute function append_only();
