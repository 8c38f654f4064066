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

-- Sealed with the key file. Of equal secrets the fingerprint is equal: one authenticator secret is one person. A person has
-- at most one that counts and one that is being set up, so that a change that is given up takes nothing away.
create table totp_secrets (
  person_id text collate "C" not null references people,
  fingerprint text collate "C" not null,
  sealed text not null,
  -- Null until a first code has proven that the person's device has it.
  confirmed_at timestamptz,
  -- The last accepted time step: a code is accepted once, and no older one after it.
  last_step bigint not null default 0,
  primary key (person_id, fingerprint)
);
create unique index totp_secrets_confirmed on totp_secrets (person_id) where confirmed_at is not null;
create unique index totp_secrets_begun on totp_secrets (person_id) where confirmed_at is null;
create unique index totp_secrets_one_person on totp_secrets (fingerprint) where confirmed_at is not null;

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
  -- The row of sign_in_failures that its second factors count in.
  tries_key text collate "C" not null,
  judged integer not null default 0,
  -- The WebAuthn challenge that may be answered once.
  challenge text collate "C",
  expires_at timestamptz not null,
  constraint sign_ins_few_guesses check (judged between 0 and 5)
);
create index sign_ins_by_person on sign_ins (person_id);
create index sign_ins_by_end on sign_ins (expires_at);

-- Tries in a row, for an address known or not, a known device or a session; a right sign-in ends the row. The key holds a
-- hash, never what was typed: people type passwords into the wrong field. Old rows are forgotten.
create table sign_in_failures (
  key text collate "C" primary key,
  failures integer not null,
  -- How often it was locked: each lock is longer than the one before it.
  locks integer not null,
  locked_until timestamptz,
  updated_at timestamptz not null
);
create index sign_in_failures_by_time on sign_in_failures (updated_at);

-- Devices that a person has signed in from. Their tries are counted apart, so that strangers who lock the address do not
-- lock its owner out.
create table known_devices (
  token_hash text collate "C" primary key,
  person_id text collate "C" not null references people,
  used_at timestamptz not null
);
create index known_devices_by_person on known_devices (person_id, used_at);

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
create index sessions_by_previous on sessions (previous_hash) where previous_hash is not null;

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

-- Second factors judged for one subject in one session: counted before the judgement, at most five wrong ones.
create table step_up_tries (
  session_id text collate "C" not null references sessions,
  subject_id text collate "C" not null,
  judged integer not null default 0,
  -- The WebAuthn challenge that may be answered once, and soon.
  challenge text collate "C",
  challenged_at timestamptz,
  primary key (session_id, subject_id),
  constraint step_up_tries_few check (judged between 0 and 5)
);
create trigger append_only before update or delete or truncate on step_ups
  for each statement execute function append_only();
