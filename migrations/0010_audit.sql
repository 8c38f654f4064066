-- What people, the command line, keys' owners and the service itself did: append-only, and each row commits to the one before
-- it. The trigger numbers and hashes rows one after the other, so a row belongs to one place in the chain.
create table audit_log (
  no bigint primary key,
  at timestamptz not null,
  -- `person`, `os_user` (the command line before sign-in), `key`, or `service`.
  actor_kind text collate "C" not null check (actor_kind in ('person', 'os_user', 'key', 'service')),
  actor text collate "C" not null,
  action text collate "C" not null,
  subject text collate "C",
  business_id text collate "C",
  detail jsonb not null,
  previous_hash bytea not null,
  hash bytea not null
);
create index audit_log_by_business on audit_log (business_id, no) where business_id is not null;
create index audit_log_by_subject on audit_log (subject, no) where subject is not null;

-- One text for a row, the same here, in `sliproad audit export` and in its verification.
create function audit_text(entry audit_log) returns text language sql stable as $$
  select concat_ws(E'\x1f', entry.no, to_char(entry.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.actor_kind, entry.actor, entry.action, coalesce(entry.subject, ''), coalesce(entry.business_id, ''),
    entry.detail::text)
$$;

create function audit_chain() returns trigger language plpgsql as $$
declare
  last audit_log;
begin
  perform pg_advisory_xact_lock(hashtextextended('sliproad audit chain', 0));
  select * into last from audit_log order by no desc limit 1;
  new.no := coalesce(last.no, 0) + 1;
  new.previous_hash := coalesce(last.hash, '\x');
  new.hash := sha256(new.previous_hash || convert_to(audit_text(new), 'UTF8'));
  return new;
end
$$;
create trigger audit_chain before insert on audit_log for each row execute function audit_chain();
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function append_only();
