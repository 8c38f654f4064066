-- The guard of rails: what a rail's own list of payouts, or the statement of its account, has and no payout of ours explains. The first
-- such payment pauses the rail until people end the pause.

-- Up to where each rail was compared. `due_at` is the lease of the one process that compares.
create table rail_guards (
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  -- Payments that were made before are not compared.
  begins_at timestamptz not null,
  -- Of the list: payments that were made before it were compared. It is read again from a while before it, because lists lag.
  compared_to timestamptz not null,
  -- Of a rail without a list: the last row of the statement of its account that was compared.
  statement_no bigint not null default 0,
  fence bigint not null default 0,
  due_at timestamptz not null,
  -- Why it could not be compared, and since when; null: it was.
  failure text,
  failing_since timestamptz,
  primary key (mode, rail),
  constraint rail_guards_failing check ((failure is null) = (failing_since is null))
);

-- Which payment of the rail is our payout: the first one that its list showed under the reference. Another one is a second payment.
create table listed_payouts (
  mode text collate "C" not null,
  rail text collate "C" not null,
  reference text collate "C" not null,
  -- The rail's own id of it.
  payment text collate "C" not null,
  at timestamptz not null,
  primary key (mode, rail, reference)
);
create index listed_payouts_by_time on listed_payouts (at);

create table unexplained_payments (
  id bigint generated always as identity primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  payment text collate "C" not null,
  -- As the rail has them; null: it does not say.
  reference text collate "C",
  amount_minor bigint,
  doubt text collate "C" not null
    check (doubt in ('not_ours', 'paid_twice', 'other_amount', 'other_account', 'had_ended', 'on_statement')),
  paid_at timestamptz not null,
  found_at timestamptz not null,
  -- People resumed the rail, and know of it; null: it stops the rail.
  ended_at timestamptz,
  ended_by text
);
-- Each stops its rail once.
create unique index unexplained_payments_once on unexplained_payments (mode, rail, payment);
create index unexplained_payments_open on unexplained_payments (mode, rail) where ended_at is null;
create trigger append_only before update of id, mode, rail, payment, reference, amount_minor, doubt, paid_at, found_at on unexplained_payments
  for each statement execute function append_only();
