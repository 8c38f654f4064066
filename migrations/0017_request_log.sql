-- What businesses asked and were answered: changes and errors, for a limited time (REQUEST_LOG_DAYS). Nothing depends on these rows:
-- they are written in batches after the answer, and a crash may lose those of the last second.

create table request_log (
  -- Without a reference to businesses: a check for every row would cost more than the row.
  business_id text collate "C" not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- Unique by chance alone, across processes and restarts. Two businesses with the same one never meet, because it is read by business and mode.
  request_id text collate "C" not null,
  at timestamptz not null,
  key_id text collate "C" not null,
  method text collate "C" not null,
  -- With the query, without values that may be secrets.
  path text not null,
  status smallint not null,
  code text collate "C",
  duration_ms integer not null,
  -- JSON as text, because it is only ever shown: secrets masked, null without a body.
  body text,
  body_truncated boolean not null,
  primary key (business_id, mode, request_id)
);
create index request_log_by_age on request_log (at);
