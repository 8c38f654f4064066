-- The audit log: what people, keys, the command line and the service itself did. It only grows, and each entry commits to
-- the one before it. docs/audit.md says what is in it and how it is verified.

create table audit_log (
  no bigint primary key,
  at timestamptz not null check (isfinite(at)),
  -- One text: src/domain/people/actor.ts. Entries of versions that knew no people have names of another form.
  actor text collate "C" not null check (actor <> ''),
  action text collate "C" not null check (action <> ''),
  subject text collate "C",
  business_id text collate "C",
  detail jsonb not null,
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_log_by_business on audit_log (business_id, no) where business_id is not null;
create index audit_log_by_subject on audit_log (subject, no) where subject is not null;
create index audit_log_by_actor on audit_log (actor, no);
create index audit_log_by_action on audit_log (action, no);

-- The last entry. Whoever appends locks this row, so entries are numbered one after the other: no gap, because the row is
-- rolled back with the entry, and no fork, because a waiting writer reads the row again when it gets the lock (at a stricter
-- isolation than `read committed` it fails). When the last entries of the log are deleted, this row still names them.
create table audit_head (
  one boolean primary key default true check (one),
  no bigint not null,
  hash bytea not null,
  -- The day of the last `audit head` line in the service's log.
  announced_on date
);
create trigger append_only before delete or truncate on audit_head
  for each statement execute function append_only();

-- A field as `LENGTH:TEXT,` with the length in bytes, `-,` when it is missing: two different entries have different texts.
create function audit_field(value text) returns text language sql immutable as $$
  select coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value || ',', '-,')
$$;

create function audit_hash(entry audit_log) returns bytea language sql stable as $$
  select sha256(entry.previous_hash || convert_to(
    audit_field(entry.no::text)
      || audit_field(to_char(entry.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      || audit_field(entry.actor) || audit_field(entry.action) || audit_field(entry.subject)
      || audit_field(entry.business_id) || audit_field(entry.detail::text), 'UTF8'))
$$;

-- What operators did before there was an audit log. Copied before the trigger exists: it would look the head up again for
-- every row of this one transaction.
do $$
declare
  entry audit_log;
begin
  entry.no := 0;
  entry.hash := decode(repeat('00', 32), 'hex');
  for entry.at, entry.actor, entry.action, entry.business_id, entry.detail in
    select l.at, l.actor, l.action, l.detail ->> 'businessId', l.detail from operator_log l order by l.id
  loop
    entry.no := entry.no + 1;
    entry.previous_hash := entry.hash;
    entry.hash := audit_hash(entry);
    insert into audit_log values (entry.*);
  end loop;
  insert into audit_head (no, hash) values (entry.no, entry.hash);
end
$$;
drop table operator_log;

create function audit_chain() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.no := head.no + 1;
  new.previous_hash := head.hash;
  new.hash := audit_hash(new);
  update audit_head set no = new.no, hash = new.hash;
  return new;
end
$$;
create trigger audit_chain before insert on audit_log for each row execute function audit_chain();
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function append_only();

-- The business that a record belongs to; null when it belongs to none, or not yet.
create function business_of(record_id text) returns text language sql stable as $$
  select coalesce(
    (select b.id from businesses b where b.id = about.id),
    (select t.business_id from transactions t where t.id = about.id),
    (select k.business_id from api_keys k where k.id = about.id),
    (select c.business_id from cases c where c.id = about.id),
    (select t.business_id from bank_credits c join transactions t on t.id = c.transaction_id where c.id = about.id),
    (select t.business_id from deposits d join transactions t on t.id = d.transaction_id where d.id = about.id),
    (select coalesce(t.business_id, u.business_id) from movements m left join transactions t on t.id = m.transaction_id
      left join bank_credits c on c.id = m.credit_id left join transactions u on u.id = c.transaction_id
      where m.id = about.id))
  from (select coalesce((select p.subject_id from proposals p where p.id = record_id), record_id) as id) as about
$$;

-- Proposals, decisions, and what settlement stops by itself, are recorded by triggers, with no line in the statements that
-- write them. They are deferred to the end of the database transaction: the head is the last lock that is taken, so no one
-- who holds it waits for another lock.
create function audit_proposal() returns trigger language plpgsql as $$
begin
  insert into audit_log (at, actor, action, subject, business_id, detail) values (
    new.proposed_at, new.proposed_by, 'proposal.made', new.id, business_of(new.subject_id),
    to_jsonb(new) - array['id', 'proposed_by', 'proposed_at']);
  return null;
end
$$;
create constraint trigger audited after insert on proposals deferrable initially deferred
  for each row execute function audit_proposal();

-- `withdrawn` is a column of 0011_decisions.sql: the author of a proposal ends it.
create function audit_decision() returns trigger language plpgsql as $$
begin
  insert into audit_log (at, actor, action, subject, business_id, detail) values (
    new.at, new.decided_by,
    case when new.approved then 'proposal.approved' when new.withdrawn then 'proposal.withdrawn' else 'proposal.declined' end,
    new.proposal_id,
    business_of((select subject_id from proposals where id = new.proposal_id)),
    to_jsonb(new) - array['at', 'decided_by', 'approved', 'withdrawn', 'proposal_id']);
  return null;
end
$$;
create constraint trigger audited after insert on proposal_decisions deferrable initially deferred
  for each row execute function audit_decision();

-- Made by settlement, unless the transaction belongs to an actor who is recorded already (adapters/postgres/back-office/logged.ts).
create function audit_incident() returns trigger language plpgsql as $$
begin
  if current_setting('sliproad.logged', true) = 'on' then return null; end if;
  if tg_table_name = 'cases' then
    insert into audit_log (at, actor, action, subject, business_id, detail) values (
      new.opened_at, 'service:settlement', 'case.opened', new.id, new.business_id,
      jsonb_strip_nulls(to_jsonb(new) - array['id', 'opened_at', 'business_id']));
  else
    insert into audit_log (at, actor, action, subject, business_id, detail) values (
      new.at, 'service:settlement', 'business.frozen', new.business_id, new.business_id,
      to_jsonb(new) - array['at', 'business_id']);
  end if;
  return null;
end
$$;
create constraint trigger audited after insert on cases deferrable initially deferred
  for each row execute function audit_incident();
create constraint trigger audited after insert on freezes deferrable initially deferred
  for each row execute function audit_incident();

-- One person closes a buy that nothing came for: the only move of a transaction that a person makes without a proposal. The
-- condition is judged for every line of the timeline, and nothing else is done for the others.
create function audit_rejection() returns trigger language plpgsql as $$
begin
  insert into audit_log (at, actor, action, subject, business_id, detail) values (
    new.at, new.actor, 'transaction.rejected', new.transaction_id, business_of(new.transaction_id),
    jsonb_build_object('reason', new.reason, 'evidence', new.evidence));
  return null;
end
$$;
create constraint trigger audited after insert on timeline deferrable initially deferred
  for each row when (new.to_state = 'rejected' and starts_with(new.actor, 'per_')) execute function audit_rejection();

-- What keys do is too much for one chain: their actions are committed to in digests of the timeline, a range of database
-- transactions at a time (src/adapters/postgres/audit/digests.ts). A block range index costs a writer nearly nothing.
create index timeline_by_commit on timeline using brin (committed_by) with (pages_per_range = 16, autosummarize = on);
