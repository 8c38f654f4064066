-- Decisions that need two people, and the cases that people work on.

-- What one person proposes, another person decides.
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
create index proposals_by_subject on proposals (subject_id);
create table proposal_decisions (
  proposal_id text collate "C" primary key,
  proposed_by text not null,
  decided_by text not null,
  approved boolean not null,
  reason text not null,
  at timestamptz not null,
  foreign key (proposal_id, proposed_by) references proposals (id, proposed_by),
  constraint two_people check (decided_by <> proposed_by),
  -- One person spelled in two ways is still one person.
  constraint two_people_however_spelled check (lower(decided_by) <> lower(proposed_by))
);
create trigger append_only before update or delete or truncate on proposals
  for each statement execute function append_only();
create trigger append_only before update or delete or truncate on proposal_decisions
  for each statement execute function append_only();

-- Two people looked at a finding and resumed sends: each finding once, with the decision and the ledger entry.
create table outflow_acceptances (
  mode text collate "C" not null,
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  proposal_id text collate "C" not null references proposals (id),
  at timestamptz not null,
  foreign key (mode, network, tx_hash) references outflow_findings (mode, network, tx_hash)
);
create unique index outflow_acceptances_once on outflow_acceptances (mode, network, tx_hash);
create trigger append_only before update or delete or truncate on outflow_acceptances
  for each statement execute function append_only();

-- Money to get back: a credit that the bank took back after the tokens left, or a payout that was returned.
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
  closed_by text,
  movement_id text collate "C"
);
create index cases_by_transaction on cases (transaction_id);
create index cases_open on cases (mode, id) where closed_at is null;
-- A movement comes back once, however often and under whatever names a bank reports it: the case that was opened for it
-- names it, also after the case is closed.
create unique index cases_one_return on cases (movement_id) where movement_id is not null;
