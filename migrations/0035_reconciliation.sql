-- Daily reconciliation: each bank account of ours on each day of Lagos, the books against the statement and the rail. All of it follows
-- from the ledger and the statements, and is made again when they change.

-- Entries are written in the order of time; a day of them is a few ranges of pages.
create index entries_by_time on entries using brin (at) with (pages_per_range = 16, autosummarize = on);

create table reconciliations (
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- The bank account, by its name in the ledger.
  account text collate "C" not null,
  day date not null,
  books_opening_minor bigint not null,
  books_in_minor bigint not null,
  books_out_minor bigint not null,
  books_charges_minor bigint not null,
  books_minor bigint not null,
  -- Null: there is no statement of the day.
  statement_opening_minor bigint,
  statement_in_minor bigint,
  statement_out_minor bigint,
  statement_charges_minor bigint,
  statement_minor bigint,
  -- The statement's balance that the next day is compared from; null before the first statement.
  before_minor bigint,
  -- When the statement last changed that was compared.
  statement_at timestamptz,
  -- What the rail itself said after the day, and what the books had at that moment.
  rail_minor bigint,
  rail_at timestamptz,
  rail_books_minor bigint,
  rail_reserved_minor bigint,
  links integer not null,
  version integer not null,
  at timestamptz not null,
  primary key (mode, account, day),
  constraint reconciliations_books check
    (books_opening_minor + books_in_minor - books_out_minor - books_charges_minor = books_minor)
);
create index reconciliations_by_day on reconciliations (mode, day desc, account);

-- What one side has and the other has not, from its day until the day on which both have it.
create table reconciliation_items (
  mode text collate "C" not null,
  account text collate "C" not null,
  item text collate "C" not null,
  kind text collate "C" not null check (kind in ('books', 'statement', 'amount', 'opening', 'balance', 'rail')),
  day date not null,
  -- What it adds to the books above the statement.
  off_minor bigint not null check (off_minor <> 0),
  reason text collate "C" not null,
  explained boolean not null,
  on_day date,
  facts jsonb not null,
  resolved_day date,
  primary key (mode, account, item),
  constraint reconciliation_items_order check (resolved_day >= day)
);
create index reconciliation_items_by_day on reconciliation_items (mode, account, day);
create index reconciliation_items_open on reconciliation_items (mode, account) where resolved_day is null;

-- One process at a time does what is done once a day.
create table daily_turns (
  name text collate "C" primary key,
  held_until timestamptz not null
);

-- Both are only added to, in the order of time: a month of them is a few ranges of pages.
create index bank_credits_by_time on bank_credits using brin (received_at) with (pages_per_range = 16, autosummarize = on);
create index transactions_by_time on transactions using brin (created_at) with (pages_per_range = 16, autosummarize = on);

-- Vendor accounts that stopped crediting while customers say that they pay. Where another account is left, the vendor is taken off the list
-- in the transaction that writes the row; a person puts it back.
create table vendor_silences (
  id bigint generated always as identity primary key,
  vendor_id text collate "C" not null references vendors (id),
  mode text collate "C" not null,
  last_credit_at timestamptz not null,
  claims integer not null,
  businesses integer not null,
  taken_off boolean not null,
  at timestamptz not null,
  ended_at timestamptz
);
create unique index vendor_silences_open on vendor_silences (vendor_id) where ended_at is null;
create index vendor_silences_of on vendor_silences (vendor_id, id);
