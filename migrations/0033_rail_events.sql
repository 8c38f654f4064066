-- What rails tell us by calls of their own: stored before it is answered, asked about at the rail before it counts. The body is kept
-- as it came, for a while; nothing in it is believed.
create table rail_events (
  id text collate "C" primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  rail text collate "C" not null,
  -- SHA-256 of the bytes: the same bytes again are the same event.
  digest text collate "C" not null,
  body text not null,
  type text not null,
  topic text collate "C" not null check (topic in ('credit', 'payout', 'other')),
  -- What the rail is asked about.
  about text collate "C",
  -- Only of payouts: whether the event says that it was paid.
  is_paid boolean,
  received_at timestamptz not null,
  state text collate "C" not null check (state in ('open', 'done', 'ignored', 'review')),
  -- What became of it, in a word or two.
  outcome text,
  due_at timestamptz,
  tries integer not null default 0,
  -- Answers of the rail that it does not have it yet. A call that failed is none.
  looks integer not null default 0,
  version integer not null default 1,
  constraint rail_events_due check ((state = 'open') = (due_at is not null)),
  constraint rail_events_sound check (topic = 'other' or about is not null)
);
create unique index rail_events_once on rail_events (mode, rail, digest);
create index rail_events_due_at on rail_events (mode, rail, due_at) where due_at is not null;
create index rail_events_received on rail_events (received_at);
create index rail_events_newest on rail_events (mode, rail, received_at);
create index rail_events_waiting on rail_events (mode, rail, state) where state in ('open', 'review');
create trigger append_only before update of id, mode, rail, digest, body, type, topic, about, is_paid, received_at on rail_events
  for each statement execute function append_only();
