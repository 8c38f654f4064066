-- Bank statements: the files that were imported, their rows, and the days that they cover.
create table statement_files (
  id text collate "C" primary key,
  mode text collate "C" not null,
  account text collate "C" not null,
  vendor_id text collate "C",
  name text not null,
  digest text collate "C" not null,
  format text collate "C" not null,
  profile text collate "C",
  imported_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  state text collate "C" not null,
  rows_read integer not null default 0,
  rows_new integer not null default 0,
  rows_known integer not null default 0,
  from_day date,
  to_day date,
  problems jsonb not null default '[]'
);
create table statement_rows (
  mode text collate "C" not null,
  account text collate "C" not null,
  day date not null,
  key text collate "C" not null,
  ordinal integer not null,
  amount_minor bigint not null,
  balance_minor bigint,
  value_day date,
  narration text not null,
  reference text collate "C",
  session_id text collate "C",
  payer_name text,
  payer_account text collate "C",
  payer_bank_name text,
  kind text collate "C" not null check (kind in ('payment', 'reversal', 'charge')),
  file_id text collate "C" not null,
  line integer not null,
  release_no bigint,
  at timestamptz not null,
  primary key (mode, account, key, ordinal)
);
create index statement_rows_by_day on statement_rows (mode, account, day);
create table statement_days (
  mode text collate "C" not null,
  account text collate "C" not null,
  day date not null,
  complete boolean not null,
  state text collate "C" not null check (state in ('sound', 'unchecked', 'gap')),
  opening_minor bigint,
  closing_minor bigint,
  rows integer not null,
  updated_at timestamptz not null,
  primary key (mode, account, day)
);
