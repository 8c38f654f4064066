-- One transfer counts once: one source gives value for a bank account, and what other sources report about it is kept and linked to
-- the credits. What fits none, or contradicts one, is a case for people, and never a credit by itself.

-- Which source gives value for a bank account: the name of a rail, or `statements`. A rail takes an account that has none with its
-- first report; everything else is set by people.
create table credit_sources (
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- The bank account, by its name in the ledger.
  account text collate "C" not null,
  source text collate "C" not null,
  -- Credits of other sources exist in this account: a new line may be about one of them.
  others boolean not null default false,
  -- Rises whenever the source changes and whenever two people count a report of another source.
  version integer not null default 1,
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
  -- Its source has reported this session id before: however often it does, it is that transfer.
  is_repeat boolean not null default false,
  version integer not null,
  due_at timestamptz,
  tries integer not null default 0,
  constraint credit_reports_sound check (state not in ('linked', 'counted') or credit_id is not null)
);
create unique index credit_reports_once on credit_reports (mode, source, source_id);
create index credit_reports_due on credit_reports (due_at) where due_at is not null;
create index credit_reports_of_credit on credit_reports (credit_id) where credit_id is not null;
-- One report of a source is about one transfer: a credit has at most one of each source, beside those that repeat its session id.
create unique index credit_reports_one_each on credit_reports (credit_id, source) where state = 'linked' and not is_repeat;
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_account, payer_name, payer_bank_name, payer_bank_code, narration, session_id, balance_minor, value_at,
    received_at, raw, business_id on credit_reports
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on credit_reports
  for each statement execute function append_only();

-- A credit is of the source that gives value for its account, decided on the newest version of that rule; or two people count a report
-- of another source, while no credit without a report of that source fits it. Both take turns, so that one transfer is not counted
-- by the one while it is counted by the other. Parts of a credit are of its source.
create function credit_of_its_source() returns trigger language plpgsql as $$
declare
  book text := coalesce(new.account_bank_code, 'unknown') || ':' || new.account_number;
  turn bigint := hashtextextended('credit source ' || new.mode || ' ' || book, 0);
  rule credit_sources;
begin
  perform pg_advisory_xact_lock_shared(turn);
  select * into rule from credit_sources where mode = new.mode and account = book;
  if not found and new.source <> 'statements' then
    insert into credit_sources (mode, account, source, since) values (new.mode, book, new.source, new.received_at)
      on conflict do nothing;
    select * into rule from credit_sources where mode = new.mode and account = book;
  end if;
  -- What was taken for a report of a transfer is not money of its own, whichever source gives value now.
  if exists (select from credit_reports r where r.mode = new.mode and r.source = new.source and r.source_id = new.source_id
      and r.state <> 'case' and r.credit_id is distinct from new.id) then
    raise exception using message = 'it is stored as a report', errcode = 'P0001', constraint = 'bank_credits_reported';
  end if;
  if rule.source = new.source and coalesce(new.source_version, rule.version) = rule.version
      and not exists (select from credit_reports r where r.mode = new.mode and r.source = new.source and r.source_id = new.source_id) then
    return new;
  end if;
  if not exists (select from credit_reports r where r.mode = new.mode and r.source = new.source
      and r.source_id = new.source_id and (r.state = 'case' or r.credit_id = new.id)) then
    raise exception using message = 'another source gives value for this account', errcode = 'P0001',
      constraint = 'bank_credits_source';
  end if;
  perform pg_advisory_xact_lock(turn);
  if exists (select from bank_credits c where c.mode = new.mode and c.account_number = new.account_number
      and c.account_bank_code is not distinct from new.account_bank_code and c.amount_minor = new.amount_minor
      and c.source <> new.source and c.parent_id is null and abs(extract(epoch from c.value_at - new.value_at)) <= 4 * 86400
      and not exists (select from credit_reports r where r.credit_id = c.id and r.source = new.source and r.state = 'linked')) then
    raise exception using message = 'a credit that no report of this source is about fits it', errcode = 'P0001',
      constraint = 'bank_credits_counted_once';
  end if;
  update credit_sources set others = true, version = version + 1 where mode = new.mode and account = book;
  return new;
end
$$;
create trigger of_its_source before insert on bank_credits
  for each row when (new.parent_id is null) execute function credit_of_its_source();

-- And what gave value is not reported a second time by the same source.
create function report_of_no_credit() returns trigger language plpgsql as $$
begin
  if exists (select from bank_credits c where c.mode = new.mode and c.source = new.source and c.source_id = new.source_id) then
    raise exception using message = 'it is stored as a credit', errcode = 'P0001', constraint = 'credit_reports_credited';
  end if;
  return new;
end
$$;
create trigger of_no_credit before insert on credit_reports for each row execute function report_of_no_credit();

-- The version of the rule that a new credit was decided on.
alter table bank_credits add column source_version integer;
-- The balance of the account after it, where the source says.
alter table bank_credits add column balance_minor bigint;
create index bank_credits_by_amount on bank_credits (account_number, amount_minor, value_at) where parent_id is null;

-- What a case is about, where it is neither a movement nor a transaction: one case of a kind for each.
alter table cases add column about text collate "C";
create unique index cases_once_about on cases (mode, kind, about) where about is not null;
