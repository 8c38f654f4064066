-- Cases that end with a posting, payouts that came back, and the questions about payouts that have ended.

-- A case is closed once: the change that closes it names the version it was decided on.
alter table cases add column version integer not null default 1;
update cases set version = 2 where closed_at is not null;

-- Two people close a case, and the change that does it has its own decision; this line names the case.
create function audit_closing() returns trigger language plpgsql as $$
begin
  insert into audit_log (at, actor, action, subject, business_id, detail) values (
    new.closed_at, new.closed_by, 'case.closed', new.id, new.business_id,
    jsonb_build_object('outcome', new.outcome, 'kind', new.kind, 'amount_minor', new.amount_minor));
  return null;
end
$$;
create constraint trigger audited_closing after update on cases deferrable initially deferred
  for each row when (old.closed_at is null and new.closed_at is not null) execute function audit_closing();

-- Beside those that movements_one_alive has: payouts that came back are read with their sell.
create index movements_returned on movements (transaction_id) where kind = 'payout' and state = 'returned';

-- Payouts and refunds by bank whose outcome is not known: few, and those that stay are shown to people.
create index movements_unknown_at_bank on movements (mode, id) where network is null and state = 'unknown';

-- An attempt at a rail that ended is asked about again for a week: a rail may return what it paid, or pay what it had refused.
-- `said` is what the rail answered last.
create table ended_payouts (
  movement_id text collate "C" not null,
  no integer not null,
  mode text collate "C" not null,
  rail text collate "C" not null,
  reference text collate "C" not null,
  paid boolean not null,
  ended_at timestamptz not null,
  looks integer not null default 0,
  said text collate "C",
  version integer not null default 1,
  due_at timestamptz not null,
  primary key (movement_id, no)
);
create index ended_payouts_due on ended_payouts (due_at);
