-- What a treasury signed once to make a network ready: its bytes, stored before anybody is told of them, and how they ended.
-- An end is recorded once, together with what it cost.
create table set_ups (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  hash text collate "C" not null,
  source text collate "C" not null,
  sequence text collate "C",
  payload text not null,
  bound text,
  what text not null,
  at timestamptz not null
);
create unique index set_ups_once on set_ups (mode, network, hash);
create trigger append_only before update or delete or truncate on set_ups
  for each statement execute function append_only();

create table set_up_ends (
  mode text collate "C" not null,
  network text collate "C" not null,
  hash text collate "C" not null,
  outcome text collate "C" not null check (outcome in ('landed', 'dead', 'replaced')),
  at timestamptz not null,
  foreign key (mode, network, hash) references set_ups (mode, network, hash)
);
create unique index set_up_ends_once on set_up_ends (mode, network, hash);
create trigger append_only before update or delete or truncate on set_up_ends
  for each statement execute function append_only();
