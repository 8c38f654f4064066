-- Deposits that one provider alone has vouched for, and those that need a second one because it has vouched for as much as
-- it may in an hour. Rows that say nothing any more are taken away.
create table one_provider_deposits (
  mode text collate "C" not null,
  network text collate "C" not null,
  tx_hash text collate "C" not null,
  tx_index integer not null,
  amount_minor numeric(38, 0) not null check (amount_minor > 0),
  -- False: two providers have to say the same, for as long as it takes.
  granted boolean not null,
  decided_at timestamptz not null,
  primary key (mode, network, tx_hash, tx_index)
);
create index one_provider_deposits_hour on one_provider_deposits (mode, network, decided_at) where granted;
