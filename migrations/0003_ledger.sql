-- The ledger, in double entry. Amounts are minor units of the account's asset, debits positive.

create table accounts (
  id integer generated always as identity primary key,
  key text collate "C" not null unique,
  mode text collate "C" not null check (mode in ('live', 'test')),
  asset text collate "C" not null,
  name text collate "C" not null,
  side text collate "C" not null check (side in ('debit', 'credit')),
  balance numeric(38, 0) not null default 0,
  constraint accounts_not_negative check (case side when 'debit' then balance >= 0 else balance <= 0 end)
) with (fillfactor = 50);

-- Drawn in blocks: one call answers the first number of a block.
create sequence entry_ids increment by 8192;
create table entries (
  id bigint primary key,
  mode text collate "C" not null,
  event text collate "C" not null,
  subject_id text collate "C" not null,
  at timestamptz not null,
  committed_by bigint not null default pg_current_xact_id()::text::bigint
);
create index entries_by_subject on entries (subject_id);
-- The check of the ledger reads the newest entries by their commit. Without `autosummarize` the newest part of the index
-- has no summary until the table is vacuumed, and the check would read all of it again and again.
create index entries_by_commit on entries using brin (committed_by) with (pages_per_range = 16, autosummarize = on);

create table postings (
  entry_id bigint not null,
  account_id integer not null,
  amount_minor numeric(38, 0) not null check (amount_minor <> 0),
  primary key (entry_id, account_id)
);

-- Every entry balances, in each mode and asset by asset, on accounts that exist: the database refuses any other.
create function postings_balance() returns trigger language plpgsql as $$
declare
  broken bigint;
begin
  select p.entry_id into broken from written p left join accounts a on a.id = p.account_id
    group by p.entry_id, a.mode, a.asset having sum(p.amount_minor) <> 0 or bool_or(a.id is null) limit 1;
  if found then
    raise exception 'entry % does not balance', broken using errcode = 'check_violation', constraint = 'postings_balance';
  end if;
  return null;
end
$$;
create trigger postings_balance after insert on postings
  referencing new table as written for each statement execute function postings_balance();
create trigger append_only before update or delete or truncate on entries
  for each statement execute function append_only();
create trigger append_only before update or delete or truncate on postings
  for each statement execute function append_only();

-- How far balances were compared with postings, and the sum of the postings up to there.
create table ledger_checks (
  account_id integer primary key,
  checked_below bigint not null,
  amount_minor numeric(38, 0) not null
);
