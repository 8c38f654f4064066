-- People: who they are, what they may do and how they sign in. A person belongs to the operator, to
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

-- A fresh second factor for one subject: a proposal, or the person's own credentials. A decision names the one it relies
-- on with all of these columns, so a step-up of another person, for another proposal or of another time does not fit.
create table step_ups (
  id text collate "C" primary key,
  person_id text collate "C" not null references people,
  session_id text collate "C" not null references sessions,
  subject_id text collate "C" not null,
  at timestamptz not null,
  unique (id, subject_id, person_id, at)
);
create index step_ups_by_subject on step_ups (session_id, subject_id, at);

-- Second factors judged for one subject in one session: counted before the judgement, at most five.
create table step_up_tries (
  session_id text collate "C" not null references sessions,
  subject_id text collate "C" not null,
  judged integer not null default 0,
  challenge text collate "C",
  primary key (session_id, subject_id),
  constraint step_up_tries_few check (judged between 0 and 5)
);
create trigger append_only before update or delete or truncate on step_ups
  for each statement execute function append_only();
