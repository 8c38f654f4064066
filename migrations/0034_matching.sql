-- Matching from real use: when the network says a deposit was made, and when an operator lifted the limit of claims that
-- nothing was paid for.

-- The time of the block or ledger that holds the transfer; null where the network gave none. Lateness is judged by it.
alter table deposits add column chain_at timestamptz;

-- Claims that expired before the newest of these no longer count against a business.
-- Who lifted it and why is in the audit log.
create table claim_limit_lifts (
  business_id text collate "C" not null references businesses (id),
  mode text collate "C" not null check (mode in ('live', 'test')),
  lifted_at timestamptz not null,
  primary key (business_id, mode, lifted_at)
);
create trigger append_only before update or delete or truncate on claim_limit_lifts
  for each statement execute function append_only();
