-- Webhooks: the endpoints of businesses, their secrets, and one delivery for every event that an endpoint receives.

create table webhook_endpoints (
  id text collate "C" primary key,
  business_id text collate "C" not null references businesses (id),
  mode text collate "C" not null check (mode in ('live', 'test')),
  url text not null,
  -- Null: every event.
  events text[],
  description text,
  state text collate "C" not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_reason text collate "C" check (disabled_reason in ('gone', 'failing', 'requested')),
  -- Since when every attempt has failed; null after a success.
  failing_since timestamptz,
  -- To the minute: it is not written for every delivery.
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The row stays: its deliveries and the audit log name it.
  deleted_at timestamptz,
  -- Events of this database transaction and of later ones are delivered.
  created_by bigint not null default pg_current_xact_id()::text::bigint,
  constraint webhook_endpoints_disabled check ((state = 'disabled') = (disabled_reason is not null))
);
create index webhook_endpoints_of_business on webhook_endpoints (business_id, mode) where deleted_at is null;
-- What fan-out asks on every page: whether there is one at all, and which belong to these businesses.
create index webhook_endpoints_enabled on webhook_endpoints (business_id, mode)
  where state = 'enabled' and deleted_at is null;
-- Whose deliveries have to end.
create index webhook_endpoints_ended on webhook_endpoints (id) where state = 'disabled' or deleted_at is not null;

-- The HMAC secret and the signing key of an endpoint, sealed together with the key file. The one without an end is the newest.
create table webhook_secrets (
  endpoint_id text collate "C" not null references webhook_endpoints (id),
  no integer not null,
  sealed text not null,
  public_key text collate "C" not null,
  -- Names the request that made them: repeated, it makes no others.
  made_by text collate "C" not null,
  created_at timestamptz not null,
  -- Until then it signs beside the newer one.
  ends_at timestamptz,
  primary key (endpoint_id, no)
);
create unique index webhook_secrets_newest on webhook_secrets (endpoint_id) where ends_at is null;

create table webhook_deliveries (
  id text collate "C" primary key,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  state text collate "C" not null check (state in ('pending', 'delivered', 'failed')),
  reason text collate "C",
  -- An attempt of this round has failed: events that were not tried yet go first.
  retry boolean not null default false,
  due_at timestamptz not null,
  -- A lease changes only what stands in no index, so that its new row version needs no index entry.
  leased_until timestamptz,
  -- Rises with every lease: an outcome of an older lease writes nothing.
  fence integer not null default 0,
  -- Attempts ever, counted in the commit of the lease; and how many there were when this round of the schedule began.
  attempts integer not null default 0,
  round_start integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (endpoint_id, event_id)
) with (fillfactor = 80);
create index webhook_deliveries_queue on webhook_deliveries (endpoint_id, retry, due_at) where state = 'pending';
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, id);

-- The log of attempts. An attempt whose process ended before it could store the outcome is counted, and has no row here.
create table webhook_attempts (
  delivery_id text collate "C" not null,
  no integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  outcome text collate "C" not null,
  error text,
  answer text,
  primary key (delivery_id, no)
);

-- Up to where the event log was spread over the endpoints. Null until the first turn, which begins at the end of the log.
create table webhook_position (
  one boolean primary key default true check (one),
  position text
);
insert into webhook_position default values;

-- When an event was committed: its place in the order of commits, and its time. No row when there is no such event.
create function event_commit(event_id text) returns table (committed_by bigint, at timestamptz) language sql stable as $$
  select l.committed_by, l.at from timeline l
    where l.transaction_id = 'txn_' || split_part(event_id, '_', 2)
      and l.version = nullif(rtrim(split_part(event_id, '_', 3), 'r'), '')::integer
  union all
  select t.committed_by, t.created_at from transactions t
    where t.id = 'txn_' || split_part(event_id, '_', 2) and split_part(event_id, '_', 3) = '1'
  union all
  select a.committed_by, a.at from account_events a where a.id = event_id
$$;
