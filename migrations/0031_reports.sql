-- One transfer counts once: one source gives value for a bank account, and what other sources report about it is kept and linked to
-- the credits. What fits none, or contradicts one, is a case for people, and never a credit by itself.

-- Which source gives value for a bank account: the name of a rail, or `statements`. A rail takes an account that has none with its
-- first report; everything else is set by people.
create table credit_sources (
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- The bank account, by its name in the ledger.
  account text collate "C" not null,
  source text collate "C" not null,
  since timestamptz not null,
  primary key (mode, account)
);
-- What gave value before this table existed: the source of the newest credit of each account.
insert into credit_sources (mode, account, source, since)
select distinct on (mode, account) mode, account, source, received_at
from (select mode, coalesce(account_bank_code, 'unknown') || ':' || account_number as account, source, received_at, id
  from bank_credits where parent_id is null) credits
order by mode, account, received_at desc, id desc;

-- A NIP session id names one transfer, everywhere. In test mode testers choose them: each names one transfer of its business. Of
-- credits that were stored under one session id before this rule, the first has it.
alter table bank_credits add column session_key text collate "C";
update bank_credits c set session_key = first.key
from (select distinct on (mode, business_id, session_id) id, coalesce(business_id, '') || '/' || session_id as key
  from bank_credits where parent_id is null and (session_id ~ '^[0-9]{30}$' or (mode = 'test' and session_id is not null))
  order by mode, business_id, session_id, received_at, id) first
where c.id = first.id;
create unique index bank_credits_session on bank_credits (mode, session_key) where session_key is not null;

-- What a source reported about a transfer whose value another report gives, or is in doubt.
create table credit_reports (
  id text collate "C" primary key,
  mode text collate "C" not null,
  source text collate "C" not null,
  source_id text collate "C" not null,
  account_number text collate "C" not null,
  account_bank_code text collate "C",
  amount_minor bigint not null check (amount_minor > 0),
  payer_account text collate "C",
  payer_name text,
  payer_bank_name text,
  payer_bank_code text collate "C",
  narration text,
  session_id text collate "C",
  balance_minor bigint,
  value_at timestamptz not null,
  received_at timestamptz not null,
  raw jsonb not null,
  business_id text collate "C",
  -- waiting: no credit fits it yet. linked: it is about the credit. case: people look at it. counted: two people made it a credit.
  state text collate "C" not null check (state in ('waiting', 'linked', 'case', 'counted', 'explained')),
  credit_id text collate "C",
  version integer not null,
  due_at timestamptz,
  tries integer not null default 0,
  constraint credit_reports_sound check ((state in ('linked', 'counted')) <= (credit_id is not null))
);
create unique index credit_reports_once on credit_reports (mode, source, source_id);
create index credit_reports_due on credit_reports (due_at) where due_at is not null;
create index credit_reports_of_credit on credit_reports (credit_id) where credit_id is not null;
-- One report of a source is about one transfer: a credit has at most one of each source.
create unique index credit_reports_one_each on credit_reports (credit_id, source) where state = 'linked';
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_account, payer_name, payer_bank_name, payer_bank_code, narration, session_id, balance_minor, value_at,
    received_at, raw, business_id on credit_reports
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on credit_reports
  for each statement execute function append_only();

-- What a case is about, where it is neither a movement nor a transaction: one case of a kind for each.
alter table cases add column about text collate "C";
create unique index cases_once_about on cases (mode, kind, about) where about is not null;
