-- Several rails at once: which rail pays what (routes), how much in a day (caps), which do not get new payouts (pauses), and how
-- each of them is doing.

-- Without rows of a mode every rail of it that pays is used, in the order of its configuration.
create table rail_routes (
  id bigint generated always as identity primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  priority integer not null check (priority between 1 and 999),
  weight integer not null check (weight between 0 and 1000),
  min_minor bigint check (min_minor > 0),
  max_minor bigint check (max_minor > 0),
  -- Null: every bank.
  bank_codes text[] check (cardinality(bank_codes) > 0),
  -- What a payout on it costs; null: not known.
  cost_minor bigint check (cost_minor >= 0),
  enabled boolean not null,
  updated_at timestamptz not null,
  constraint rail_routes_band check (min_minor <= max_minor)
);

-- The most that new payouts on a rail add up to in a day of the Lagos calendar. What was used is in limit_usage, under `rail:NAME`.
create table rail_caps (
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  per_day_minor bigint not null check (per_day_minor > 0),
  updated_at timestamptz not null,
  primary key (mode, rail)
);

-- A paused rail gets no new payouts. People and the health check pause independently: each lifts what is theirs, and people lift both.
create table rail_pauses (
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  by_health boolean not null,
  actor text not null,
  reason text not null,
  since timestamptz not null,
  primary key (mode, rail, by_health)
);

-- Every rail that a process was started with, and what its last probes showed. `due_at` is the lease of the one process that probes.
create table rail_health (
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  -- The account it pays from, by its name in the ledger; null: the simulated bank.
  account text collate "C",
  -- Its index in the order of configuration.
  place integer not null,
  seen_at timestamptz not null,
  due_at timestamptz not null,
  fence bigint not null default 0,
  probed_at timestamptz,
  probe_failure text,
  good_probes integer not null default 0,
  bad_probes integer not null default 0,
  -- Pauses by the health check in short succession: each is longer than the one before it.
  pauses integer not null default 0,
  -- Attempts made before it are not judged again.
  judged_from timestamptz not null,
  balance_minor bigint,
  balance_at timestamptz,
  primary key (mode, rail)
);

-- Health and caps read the attempts of a rail by the time they were made.
create index movement_attempts_of_rail on movement_attempts (mode, rail, at) where rail is not null;

create trigger catalogue_changed after insert or update or delete or truncate on rail_routes
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on rail_caps
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on rail_pauses
  for each statement execute function catalogue_changed();
