-- What banks say about accounts: sells asked about once after their acceptance, the turns of businesses that ask, and how far
-- readers of the event log have read. And the Travel-Rule records.

create table log_readers (
  name text collate "C" primary key,
  position text not null
);

-- One row per sell. While it has a due time it is asked about; without one it was answered, or has ended.
create table account_enquiries (
  transaction_id text collate "C" primary key,
  due_at timestamptz,
  tries integer not null default 0,
  rail text collate "C",
  verdict text collate "C",
  score smallint,
  -- The owner's name: personal data, for operators.
  bank_says text,
  asked_at timestamptz,
  constraint account_enquiries_sound check (
    (verdict is null or verdict in ('same_name', 'other_name', 'no_account'))
    and (verdict is null or due_at is null)
    and (verdict is null) = (rail is null) and (verdict is null) = (asked_at is null)
    and (verdict is not null and verdict <> 'no_account') = (bank_says is not null)
    and (bank_says is null) = (score is null) and (score is null or score between 0 and 100))
);
create index account_enquiries_due on account_enquiries (due_at) where due_at is not null;

-- From when on a business may ask about an account again, in milliseconds of the epoch: the one limit of all processes.
create table account_question_turns (
  business_id text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  free_at_ms bigint not null,
  primary key (business_id, mode)
);

-- One record per transfer of tokens on a network that is worth the threshold or more: the send of a buy, the deposit of a sell.
-- Who sent and who received is sealed with the key file of stored secrets.
create table travel_rule_records (
  -- The movement of a send, or the deposit.
  leg text collate "C" primary key,
  kind text collate "C" not null check (kind in ('send', 'deposit')),
  mode text collate "C" not null check (mode in ('live', 'test')),
  business_id text collate "C" not null,
  transaction_id text collate "C" not null,
  network text not null,
  tx_hash text collate "C" not null,
  asset text collate "C" not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  naira_minor bigint not null check (naira_minor >= 0),
  at timestamptz not null,
  sealed text not null
);
create index travel_rule_records_by_time on travel_rule_records (at, leg);
-- Written once. Only the seal is replaced, when the key file is.
create trigger append_only before update of leg, kind, mode, business_id, transaction_id, network, tx_hash, asset,
    amount_minor, naira_minor, at on travel_rule_records
  for each statement execute function append_only();
create trigger append_only_rows before delete or truncate on travel_rule_records
  for each statement execute function append_only();
