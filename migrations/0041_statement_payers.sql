-- Where each fact about a payer was read. Null: a version before this one read the row, and then it took accounts only from columns
-- and fields of the bank. A number that only a narration shows is kept apart, so that no version takes it for the payer's account.
alter table statement_rows
  add column narrated_account text collate "C",
  add column name_from text collate "C" check (name_from in ('column', 'field', 'narration')),
  add column account_from text collate "C" check (account_from in ('column', 'field')),
  add column bank_from text collate "C" check (bank_from in ('column', 'field', 'narration')),
  add column session_from text collate "C" check (session_from in ('column', 'field', 'narration'));
drop trigger append_only on statement_rows;
create trigger append_only before update of no, mode, account, day, key, ordinal, amount_minor, balance_minor, value_day, booked_at,
    session_id, payer_bank_name, kind, file_id, line, seq, at, direction_by, name_from, account_from, bank_from, session_from
    on statement_rows
  for each statement execute function append_only();
drop trigger only_erasure on statement_rows;
create trigger only_erasure before update of narration, reference, payer_name, payer_account, narrated_account on statement_rows
  for each row
  execute function only_erasure('time', 'at', 'narration', 'reference', 'payer_name', 'payer_account', 'narrated_account');

-- The totals of a file. With awaits_confirmation nothing of the file was stored: its column profile was never compared with a file of
-- the bank.
alter table statement_files
  add column in_minor bigint check (in_minor >= 0),
  add column out_minor bigint check (out_minor >= 0),
  add column awaits_confirmation boolean not null default false;

-- The first file of each account whose totals people confirmed, for the profiles that need it.
create table statement_profiles_confirmed (
  mode text collate "C" not null check (mode in ('live', 'test')),
  account text collate "C" not null,
  profile text collate "C" not null,
  file_id text collate "C" not null,
  at timestamptz not null,
  primary key (mode, account, profile)
);
-- What was imported before gave value already, so it goes on.
insert into statement_profiles_confirmed (mode, account, profile, file_id, at)
  select distinct on (mode, account, profile) mode, account, profile, id, started_at from statement_files
  where state = 'done' and rows_read > 0 order by mode, account, profile, started_at, id;
create trigger append_only before update or delete or truncate on statement_profiles_confirmed
  for each statement execute function append_only();
