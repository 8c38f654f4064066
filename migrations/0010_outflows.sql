-- The last line of defence: every transfer out of a treasury is compared with what was signed, before the next signature.

-- Up to where each treasury was read.
create table outflow_positions (
  mode text collate "C" not null,
  network text collate "C" not null,
  position text not null,
  primary key (mode, network)
);

-- What left a treasury and nothing explains. Its asset is halted in the same commit.
create table outflow_findings (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  asset text collate "C" not null,
  problem text collate "C" not null,
  amount_minor numeric(38, 0) not null check (amount_minor >= 0),
  recipient text,
  movement_ids jsonb not null,
  at timestamptz not null,
  primary key (mode, network, tx_hash)
);
create trigger append_only before update or delete or truncate on outflow_findings
  for each statement execute function append_only();

-- Two people looked at a finding and let sends go on: each finding once, with the decision and the ledger entry.
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

-- Hashes that were declared dead are asked about for a week.
create index movement_attempts_dead on movement_attempts (mode, network, reference)
  where network is not null and place = 0 and state in ('dead', 'rejected', 'failed');
-- A hash is looked up by what the chain shows; the versions have an index of their own.
create index simulated_transfers_by_end on simulated_transfers (network, final_at_ms);
