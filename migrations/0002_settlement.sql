-- What happens after acceptance: the ledger, bank credits and their matches, deposits, movements of money outward with
-- their attempts, reviews by two people, and the leases and positions of whoever reads a bank or a network.

-- The state is the queue: what has a due time is somebody's to do.
alter table transactions
  add column due_at timestamptz,
  add column tries integer not null default 0,
  add column tx_hash text collate "C",
  add column received_minor bigint not null default 0,
  add column refunded_minor bigint not null default 0,
  add column released boolean not null default false;
create index transactions_due on transactions (state, due_at) where due_at is not null;
-- The claims a credit may pay: by amount, and by the payer's account read from its end, because banks mask its beginning.
-- Each has a condition that only its own query names: no plan can take the one for the other.
create index transactions_open_amounts on transactions (vendor_number, amount_minor, expires_at)
  where type = 'buy' and state in ('awaiting_wallet', 'awaiting_payment', 'expired', 'on_hold', 'cancelled')
    and amount_minor > 0;
create index transactions_open_payers on transactions ((vendor_number || ' ' || reverse(account_number)) collate "C")
  where type = 'buy' and state in ('awaiting_wallet', 'awaiting_payment', 'expired', 'on_hold', 'cancelled')
    and vendor_number <> '';
update transactions set due_at = expires_at where state in ('awaiting_wallet', 'awaiting_payment', 'awaiting_deposit');

-- An entry of the timeline is also the event that others are told of; `committed_by` gives readers an order that no
-- transaction still under way can break.
alter table timeline
  add column evidence jsonb,
  add column committed_by bigint not null default pg_current_xact_id()::text::bigint;

-- Double entry. Amounts are minor units of the account's asset, debits positive.
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

-- Drawn in blocks: one call answers the first of as many numbers.
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
create index entries_by_commit on entries using brin (committed_by) with (pages_per_range = 16);
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

-- How far balances were compared with postings, and what the postings up to there add up to.
create table ledger_checks (
  account_id integer primary key,
  checked_below bigint not null,
  amount_minor numeric(38, 0) not null
);
-- Sends of this mode and asset stand still until an operator lifts it.
create table halts (
  mode text collate "C" not null,
  asset text collate "C" not null,
  reason text not null,
  at timestamptz not null,
  primary key (mode, asset)
);

create type credit_state as enum ('unmatched', 'review', 'matched', 'refunded', 'written_off', 'reversed', 'split');
create table bank_credits (
  id text collate "C" primary key,
  mode text collate "C" not null,
  source text collate "C" not null,
  source_id text collate "C" not null,
  account_number text collate "C" not null,
  account_bank_code text collate "C",
  amount_minor bigint not null,
  payer_account text collate "C",
  payer_name text,
  payer_bank_name text,
  payer_bank_code text collate "C",
  narration text,
  session_id text collate "C",
  value_at timestamptz not null,
  received_at timestamptz not null,
  raw jsonb not null,
  parent_id text collate "C",
  state credit_state not null,
  exception text collate "C",
  transaction_id text collate "C",
  version integer not null,
  due_at timestamptz,
  tries integer not null default 0,
  constraint bank_credits_sound check (amount_minor > 0 and (state <> 'matched' or transaction_id is not null))
);
create unique index bank_credits_once on bank_credits (mode, source, source_id);
create index bank_credits_due on bank_credits (due_at) where due_at is not null;
create index bank_credits_open on bank_credits (account_number, amount_minor) where state in ('unmatched', 'review');
create index bank_credits_parts on bank_credits (parent_id) where parent_id is not null;
create index bank_credits_by_transaction on bank_credits (transaction_id) where transaction_id is not null;
-- What the bank said stays as it was said: only what became of it moves.
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_account, payer_name, payer_bank_name, payer_bank_code, narration, session_id, value_at,
    received_at, raw, parent_id on bank_credits
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on bank_credits
  for each statement execute function append_only();

-- Every look at a credit that decided something. One credit pays for at most one transaction: the second row that says
-- so is refused.
create table match_decisions (
  credit_id text collate "C" not null,
  version integer not null,
  transaction_id text collate "C",
  rule_version integer not null,
  verdict jsonb not null,
  candidates jsonb not null,
  actor text not null,
  at timestamptz not null,
  primary key (credit_id, version)
);
create unique index one_credit_one_transaction on match_decisions (credit_id) where transaction_id is not null;
create trigger append_only before update or delete or truncate on match_decisions
  for each statement execute function append_only();

create type deposit_state as enum ('seen', 'applied', 'suspense', 'refunded', 'gone');
create table deposits (
  id text collate "C" primary key,
  mode text collate "C" not null,
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  tx_index integer not null,
  address text collate "C" not null,
  memo text collate "C" not null default '',
  sender text collate "C",
  asset text collate "C" not null,
  amount_minor numeric(38, 0) not null,
  transaction_id text collate "C",
  state deposit_state not null,
  exception text collate "C",
  version integer not null,
  due_at timestamptz,
  tries integer not null default 0,
  seen_at timestamptz not null,
  constraint deposits_sound check (amount_minor > 0)
);
create unique index deposits_once on deposits (mode, network, tx_hash, tx_index);
create index deposits_due on deposits (due_at) where due_at is not null;
create index deposits_by_transaction on deposits (transaction_id) where transaction_id is not null;
create index deposits_unattributed on deposits (mode, seen_at) where transaction_id is null;

-- Money on its way out: a send of tokens, a bank payout, or a refund by either.
create type movement_state as enum ('pending', 'sending', 'unknown', 'done', 'failed');
create table movements (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('send', 'payout', 'refund')),
  mode text collate "C" not null,
  network text collate "C",
  asset text collate "C" not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  naira_minor bigint not null check (naira_minor > 0),
  transaction_id text collate "C",
  credit_id text collate "C",
  deposit_id text collate "C",
  destination jsonb,
  state movement_state not null,
  reason text,
  version integer not null,
  attempts integer not null default 0,
  due_at timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index movements_due on movements (due_at) where due_at is not null;
-- One owner of a payout, one send for a buy: a second one is refused while the first may still happen.
create unique index movements_one_alive on movements (transaction_id) where kind in ('send', 'payout') and state <> 'failed';
create index movements_by_credit on movements (credit_id) where credit_id is not null;
create index movements_refunds on movements (transaction_id) where kind = 'refund';

create table movement_attempts (
  movement_id text collate "C" not null,
  no integer not null,
  mode text collate "C" not null,
  network text collate "C",
  reference text collate "C" not null,
  source text collate "C",
  sequence text collate "C",
  payload text,
  bound text,
  state text collate "C" not null
    check (state in ('prepared', 'accepted', 'unknown', 'rejected', 'landed', 'failed', 'dead')),
  evidence jsonb,
  at timestamptz not null,
  updated_at timestamptz not null,
  primary key (movement_id, no)
);
create unique index movement_attempts_one_hash on movement_attempts (mode, network, reference) where network is not null;
create unique index movement_attempts_one_sequence on movement_attempts (mode, network, source, sequence)
  where sequence is not null and state not in ('rejected', 'dead');

-- What must be got back from somebody: a credit the bank took back after the tokens left, a payout that came back.
create table cases (
  id text collate "C" primary key,
  kind text collate "C" not null,
  mode text collate "C" not null,
  business_id text collate "C",
  transaction_id text collate "C",
  credit_id text collate "C",
  amount_minor bigint not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by text
);
create index cases_by_transaction on cases (transaction_id);
-- A business whose money movements stand still.
create table freezes (
  business_id text collate "C" not null,
  mode text collate "C" not null,
  reason text not null,
  at timestamptz not null,
  primary key (business_id, mode)
);
create trigger catalogue_changed after insert or update or delete or truncate on freezes
  for each statement execute function catalogue_changed();
create trigger catalogue_changed after insert or update or delete or truncate on halts
  for each statement execute function catalogue_changed();

-- What one person proposes another decides.
create table proposals (
  id text collate "C" primary key,
  mode text collate "C" not null,
  action text collate "C" not null,
  subject_id text collate "C" not null,
  detail jsonb not null,
  proposed_by text not null,
  proposed_at timestamptz not null,
  unique (id, proposed_by)
);
create table proposal_decisions (
  proposal_id text collate "C" primary key,
  proposed_by text not null,
  decided_by text not null,
  approved boolean not null,
  reason text not null,
  at timestamptz not null,
  foreign key (proposal_id, proposed_by) references proposals (id, proposed_by),
  constraint two_people check (decided_by <> proposed_by)
);
create trigger append_only before update or delete or truncate on proposals
  for each statement execute function append_only();
create trigger append_only before update or delete or truncate on proposal_decisions
  for each statement execute function append_only();

-- What a bank or a network told and nobody can make sense of: kept as it came, for people to look at.
create table quarantine (
  id bigint generated always as identity primary key,
  mode text collate "C" not null,
  source text collate "C" not null,
  reason text not null,
  raw text not null,
  at timestamptz not null
);
create trigger append_only before update or delete or truncate on quarantine
  for each statement execute function append_only();

-- Who reads a feed now, and up to where it was read. The fence rises with every new holder: a holder that was
-- overtaken cannot move the position.
create table feeds (
  name text collate "C" primary key,
  position text,
  holder text not null,
  held_until timestamptz not null,
  fence bigint not null
);

-- What else a bank tells: a credit taken back, a payout that returned. Stored first, then worked on; one that comes
-- before what it is about waits for it.
create table bank_notices (
  id text collate "C" primary key,
  mode text collate "C" not null,
  source text collate "C" not null,
  source_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('credit_reversed', 'payout_returned')),
  about text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  received_at timestamptz not null,
  raw jsonb not null,
  state text collate "C" not null check (state in ('open', 'done', 'review')),
  version integer not null,
  due_at timestamptz,
  tries integer not null default 0
);
create unique index bank_notices_once on bank_notices (mode, source, source_id);
create index bank_notices_about on bank_notices (mode, source, about) where state = 'open';
create index bank_notices_due on bank_notices (due_at) where due_at is not null;
