-- What banks report: credits with their matches, notices, lines that could not be read, and the position of each feed.

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
create index bank_credits_in_review on bank_credits (mode, id) where state = 'review';
-- What the bank reported stays as it was reported: only what became of the credit changes.
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_account, payer_name, payer_bank_name, payer_bank_code, narration, session_id, value_at,
    received_at, raw, parent_id on bank_credits
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on bank_credits
  for each statement execute function append_only();

-- Every decision about a credit. One credit pays for at most one transaction: a second row with a transaction is refused.
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

-- What else a bank reports: a credit taken back, a payout that was returned. Stored first, then worked on; a notice that
-- comes before the record it is about waits for that record.
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
create index bank_notices_in_review on bank_notices (mode, id) where state = 'review';

-- Lines of a bank or a network that the service could not read: kept as they came, for an operator to look at.
create table quarantine (
  id bigint generated always as identity primary key,
  mode text collate "C" not null,
  source text collate "C" not null,
  reason text not null,
  raw text not null,
  at timestamptz not null
);
create index quarantine_by_mode on quarantine (mode, id);
create trigger append_only before update or delete or truncate on quarantine
  for each statement execute function append_only();

-- Which process reads a feed now, and up to where the feed was read. The fence rises with every new holder: a holder that
-- lost the feed cannot move the position.
create table feeds (
  name text collate "C" primary key,
  position text,
  holder text not null,
  held_until timestamptz not null,
  fence bigint not null
);
