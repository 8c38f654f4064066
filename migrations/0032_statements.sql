-- Statement files of bank accounts, vendors' and our own: the files, their rows, and what is known about each day of an account.

create table statement_files (
  id text collate "C" primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- The bank account, by its name in the ledger.
  account text collate "C" not null,
  -- Null: an account that payouts are made from.
  vendor_id text collate "C",
  name text not null,
  -- SHA-256 of the bytes; null while it is read.
  digest text collate "C",
  format text collate "C" not null,
  profile text collate "C" not null,
  imported_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  state text collate "C" not null check (state in ('reading', 'done', 'failed')),
  rows_read integer not null default 0,
  rows_new integer not null default 0,
  rows_known integer not null default 0,
  from_day date,
  to_day date,
  -- What could not be read, with line, column and reason: the first hundred, and how many there are.
  problems jsonb not null default '{"total": 0, "list": []}',
  constraint statement_files_ended check ((state = 'reading') = (ended_at is null))
);
create index statement_files_newest on statement_files (started_at desc, id desc);
create index statement_files_of_account on statement_files (mode, account, started_at desc);
create unique index statement_files_once on statement_files (mode, account, digest) where state = 'done';
create trigger append_only before update of id, mode, account, vendor_id, name, format, profile, imported_by, started_at
    on statement_files
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on statement_files
  for each statement execute function append_only();

-- Booked rows. A row is released to settlement when the balances of its day do not contradict it; numbers of releases are in the order
-- of their commits.
create sequence statement_releases as bigint;
create table statement_rows (
  -- In the order of their writing, for readers that go through all of them.
  no bigint generated always as identity unique,
  mode text collate "C" not null,
  account text collate "C" not null,
  day date not null,
  key text collate "C" not null,
  -- From 1, among the rows of the day that are equal to it.
  ordinal integer not null check (ordinal > 0),
  -- Positive: it came in.
  amount_minor bigint not null check (amount_minor <> 0),
  balance_minor bigint,
  value_day date,
  -- Only where the file gives a time.
  booked_at timestamptz,
  narration text not null,
  reference text,
  session_id text collate "C",
  payer_name text,
  payer_account text collate "C",
  payer_bank_name text,
  kind text collate "C" not null check (kind in ('payment', 'reversal', 'charge')),
  file_id text collate "C" not null,
  line integer not null,
  -- Its place in the file, the oldest row first.
  seq integer not null,
  release_no bigint unique,
  at timestamptz not null,
  primary key (mode, account, key, ordinal)
);
create index statement_rows_of_day on statement_rows (mode, account, day);
create index statement_rows_reversals on statement_rows (mode, release_no) where kind = 'reversal';
create index statement_rows_amounts on statement_rows (mode, account, amount_minor, day);
create index statement_rows_sessions on statement_rows (session_id) where session_id is not null;
create trigger append_only before update of mode, account, day, key, ordinal, amount_minor, balance_minor, value_day, booked_at,
    narration, reference, session_id, payer_name, payer_account, payer_bank_name, kind, file_id, line, seq, at on statement_rows
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on statement_rows
  for each statement execute function append_only();

-- complete: a file, or the balances on both sides, show that nothing of the day is missing. sound: the balances prove the rows.
-- unchecked: there are no balances. gap: the balances contradict the rows, and new rows of the day are not released.
create table statement_days (
  mode text collate "C" not null,
  account text collate "C" not null,
  day date not null,
  complete boolean not null,
  state text collate "C" not null check (state in ('sound', 'unchecked', 'gap')),
  opening_minor bigint,
  closing_minor bigint,
  rows integer not null,
  -- The profile that its rows were read with: another one would make all of them new.
  profile text collate "C" not null,
  -- Why it is a gap.
  gap text,
  updated_at timestamptz not null,
  primary key (mode, account, day),
  constraint statement_days_gap check ((state = 'gap') = (gap is not null))
);
create index statement_days_gaps on statement_days (mode, day) where state = 'gap';
