-- Real networks: several orders in the same signed bytes, bytes signed again for more, tokens brought in from deposit
-- addresses, and what a signer gave away on a day.

-- One hash may carry several orders, each at a place of its own; the first holds the bytes and the list of all of them.
alter table movement_attempts add column place integer not null default 0;
alter table movement_attempts add column orders jsonb;
drop index movement_attempts_one_hash;
create unique index movement_attempts_one_place on movement_attempts (mode, network, reference, place)
  where network is not null;
-- A place in a wallet's order is a number, and belongs to one set of bytes that may still land or has landed.
drop index movement_attempts_one_sequence;
create unique index movement_attempts_one_sequence on movement_attempts (mode, network, source, (sequence::numeric))
  where sequence is not null and place = 0 and state not in ('rejected', 'dead');
create index movement_attempts_live on movement_attempts (mode, network, source)
  where sequence is not null and place = 0 and state in ('prepared', 'accepted', 'unknown');

-- The same payments signed again at the same place: at most one of all versions lands.
create table attempt_replacements (
  mode text collate "C" not null,
  network text collate "C" not null,
  reference text collate "C" not null,
  no integer not null check (no > 1),
  hash text collate "C" not null,
  payload text not null,
  bound text,
  at timestamptz not null,
  primary key (mode, network, reference, no)
);
create unique index attempt_replacements_one_hash on attempt_replacements (mode, network, hash);
create trigger append_only before update or delete or truncate on attempt_replacements
  for each statement execute function append_only();

alter table movements drop constraint movements_kind_check;
alter table movements add constraint movements_kind_check check (kind in ('send', 'payout', 'refund', 'sweep'));
-- What is brought in may be less than a kobo.
alter table movements drop constraint movements_naira_minor_check;
alter table movements add constraint movements_naira_minor_check
  check (naira_minor > 0 or (kind = 'sweep' and naira_minor = 0));
create index movements_in_flight on movements (mode, network)
  where network is not null and state in ('sending', 'unknown');

create index movements_unswept on movements (mode, network) where kind = 'sweep' and state <> 'done';

-- Tokens that the operator sent to a treasury himself, and that came in as a deposit of nobody.
alter type deposit_state add value 'own_funds';

create index deposit_targets_recent on deposit_targets (mode, network, transaction_id);

-- What was signed away on a network on a day of the Lagos calendar. Counted before the signature and never given back: a
-- crash in between makes the count too high, never too low. Numeric: a token may have eighteen decimals.
create table signing_days (
  mode text collate "C" not null check (mode in ('live', 'test')),
  network text collate "C" not null,
  day date not null,
  spent_minor numeric(78, 0) not null check (spent_minor >= 0),
  primary key (mode, network, day)
);
