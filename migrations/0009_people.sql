-- People: who they are, what they may do, how they sign in, and what they did. A person belongs to the operator, to
-- businesses, or to both; what they may do is said by roles (src/domain/people/roles.ts).

create table people (
  id text collate "C" primary key,
  -- In its one spelling: src/domain/people/email.ts.
  email text collate "C" not null unique,
  name text not null check (name <> ''),
  disabled_at timestamptz,
  created_at timestamptz not null
);

create table operator_roles (
  person_id text collate "C" primary key references people,
  role text collate "C" not null check (role in ('admin', 'reviewer', 'approver', 'auditor'))
);

create table memberships (
  business_id text collate "C" not null references businesses,
  person_id text collate "C" not null references people,
  role text collate "C" not null check (role in ('owner', 'developer', 'viewer')),
  created_at timestamptz not null,
  primary key (business_id, person_id)
);
create index memberships_by_person on memberships (person_id);

create table passwords (
  person_id text collate "C" primary key references people,
  -- argon2id with its parameters.
  stored text not null,
  changed_at timestamptz not null
);

-- Sealed with the key file. Of equal secrets the fingerprint is equal: one authenticator secret is one person.
create table totp_secrets (
  person_id text collate "C" primary key references people,
  sealed text not null,
  fingerprint text collate "C" not null,
  -- Null until a first code has proven that the person's device has it.
  confirmed_at timestamptz,
  -- The last accepted time step: a code is accepted once, and no older one after it.
  last_step bigint not null default 0,
  constraint totp_secrets_one_person unique (fingerprint)
);

create table passkeys (
  -- Unique over all people: one authenticator credential is one person.
  credential_id text collate "C" primary key,
  person_id text collate "C" not null references people,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_by_person on passkeys (person_id);

create table recovery_codes (
  hash text collate "C" primary key,
  person_id text collate "C" not null references people,
  used_at timestamptz
);
create index recovery_codes_by_person on recovery_codes (person_id);

-- The password was right, and the second factor is still to come: not a session. At most five second factors are judged for
-- one, counted before the judgement, so that guesses at once do not pass together.
create table sign_ins (
  token_hash text collate "C" primary key,
  person_id text collate "C" not null references people,
  judged integer not null default 0,
  -- The WebAuthn challenge that may be answered once.
  challenge text collate "C",
  expires_at timestamptz not null,
  constraint sign_ins_few_guesses check (judged between 0 and 5)
);

-- Wrong passwords and wrong second factors of one account in a row; a right one ends the row.
create table sign_in_failures (
  email text collate "C" primary key,
  failures integer not null,
  locked_until timestamptz,
  updated_at timestamptz not null
);

create table sessions (
  id text collate "C" primary key,
  person_id text collate "C" not null references people,
  -- Of the token in the cookie or in the command line's file. Replaced when the token rotates.
  token_hash text collate "C" not null unique,
  -- The token before the last rotation, for requests that were under way.
  previous_hash text collate "C",
  rotated_at timestamptz not null,
  surface text collate "C" not null check (surface in ('browser', 'command_line')),
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- Absolute: using it does not move this.
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_by_person on sessions (person_id) where ended_at is null;

-- A fresh second factor for one decision: not older than five minutes, for this subject alone, used once.
create table step_ups (
  id text collate "C" primary key,
  session_id text collate "C" not null references sessions,
  subject_id text collate "C" not null,
  at timestamptz not null,
  used_at timestamptz
);

create table invitations (
  id text collate "C" primary key,
  token_hash text collate "C" not null unique,
  email text collate "C" not null,
  business_id text collate "C" references businesses,
  role text collate "C" not null,
  invited_by text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
create index invitations_by_business on invitations (business_id);

-- Mail to be sent: queued with what it is about, sent by a worker.
create table mails (
  id text collate "C" primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  due_at timestamptz,
  tries integer not null default 0,
  sent_at timestamptz,
  problem text
);
create index mails_due on mails (due_at) where due_at is not null;

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
