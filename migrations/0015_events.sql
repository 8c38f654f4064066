-- Events: what a reader of the timeline needs. A line holds the state of its transaction as it was in that commit, and the
-- business it belongs to; the acceptance, which is the row of the facts, gets its place in the order of commits.

alter table timeline disable trigger append_only;
alter table timeline
  add column business_id text collate "C",
  add column mode text collate "C",
  add column state_reason text,
  add column exception text,
  add column tx_hash text collate "C",
  add column network text,
  add column wallet_address text,
  add column received_minor bigint not null default 0,
  add column refunded_minor bigint not null default 0;
-- Lines from before have no copy of the state: their events show what the transaction had when this migration ran.
update timeline l set business_id = s.business_id, mode = s.mode, state_reason = s.state_reason, exception = s.exception,
  tx_hash = s.tx_hash, network = s.network, wallet_address = s.wallet_address, received_minor = s.received_minor,
  refunded_minor = s.refunded_minor
from transaction_states s where s.transaction_id = l.transaction_id;
alter table timeline
  alter column business_id set not null,
  alter column mode set not null;
alter table timeline enable trigger append_only;
-- The condition, which every line meets, is named only by the query of events: without statistics the planner would take
-- this index, the newest, for others too.
create index timeline_of_business on timeline (business_id, mode, committed_by) where version > 1;
-- Readers follow the newest lines several times a second. A block range index has no summary of these until the next vacuum;
-- here equal numbers share one entry, and the last page of the index takes nearly every insert.
drop index timeline_by_commit;
create index timeline_by_commit on timeline (committed_by);

-- Transactions from before come first in the order, oldest first: their numbers are below every number of a database
-- transaction. Almost every one has a number of its own, because a page of a list sorts those with equal numbers.
alter table transactions disable trigger append_only;
alter table transactions add column committed_by bigint not null default 0;
update transactions set committed_by = (extract(epoch from created_at) * 1000)::bigint - 1000000000000000;
alter table transactions alter column committed_by set default pg_current_xact_id()::text::bigint;
alter table transactions enable trigger append_only;
create index transactions_of_business on transactions (business_id, mode, committed_by) where amount_minor > 0;
create index transactions_by_commit on transactions (committed_by);

-- Events of a business that belong to no transaction.
create table account_events (
  id text collate "C" primary key,
  business_id text collate "C" not null references businesses (id),
  mode text collate "C" not null check (mode in ('live', 'test')),
  type text collate "C" not null,
  at timestamptz not null,
  data jsonb not null,
  -- Set: only this endpoint receives it, and lists do not show it.
  endpoint_id text collate "C",
  committed_by bigint not null default pg_current_xact_id()::text::bigint
);
create index account_events_of_business on account_events (business_id, mode, committed_by);
create index account_events_by_commit on account_events (committed_by);
create trigger append_only before update or delete or truncate on account_events
  for each statement execute function append_only();
