-- How people come in and get back in: businesses that sign up, invitations, new passwords, and the mail that carries their
-- links. Of a token only the hash is stored here; the mail that holds it is blanked once it is sent or its token has ended.

create table sign_ups (
  id text collate "C" primary key,
  business_name text not null check (business_name <> ''),
  link_tag text collate "C" not null,
  -- Of the owner. In its one spelling, as all addresses in this file.
  email text collate "C" not null,
  state text collate "C" not null check (state in ('waiting', 'approved', 'declined')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text collate "C",
  business_id text collate "C" unique references businesses,
  constraint sign_ups_decided check ((state = 'waiting') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint sign_ups_approved check ((state = 'approved') = (business_id is not null))
);
create unique index sign_ups_one_waiting on sign_ups (link_tag) where state = 'waiting';

create table invitations (
  id text collate "C" primary key,
  token_hash text collate "C" not null unique,
  email text collate "C" not null,
  -- Null: to the operator.
  business_id text collate "C" references businesses,
  role text collate "C" not null,
  -- The owner's invitation to a business that signed up.
  sign_up_id text collate "C" references sign_ups,
  invited_by text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C" references people,
  withdrawn_at timestamptz,
  constraint invitations_role check (
    case when business_id is null then role in ('admin', 'reviewer', 'approver', 'auditor')
    else role in ('owner', 'developer', 'viewer') end),
  constraint invitations_end_once check (accepted_at is null or withdrawn_at is null),
  constraint invitations_accepted check ((accepted_at is null) = (accepted_by is null))
);
-- An address has one open invitation to one place: a new one replaces it.
create unique index invitations_one_open on invitations (coalesce(business_id, ''), email)
  where accepted_at is null and withdrawn_at is null;

-- Queued with what it is about, in the same commit, and sent by a worker. `kept`: no mail server is configured.
create table mails (
  id text collate "C" primary key,
  -- The id of the invitation, sign-up or person it is about.
  about text collate "C" not null,
  recipient text collate "C" not null,
  subject text not null,
  -- Null once the mail is sent or its link has ended: nothing keeps a token longer than needed.
  body text,
  state text collate "C" not null check (state in ('queued', 'sent', 'kept', 'problem', 'cancelled')),
  created_at timestamptz not null,
  -- When the token in the body ends; null when there is none.
  link_ends_at timestamptz,
  due_at timestamptz,
  -- Counted before the mail is handed to the server.
  tries integer not null default 0,
  sent_at timestamptz,
  problem text,
  constraint mails_due_while_queued check ((state = 'queued') = (due_at is not null)),
  constraint mails_sent check ((state = 'sent') = (sent_at is not null))
);
create index mails_due on mails (due_at) where state = 'queued';
create index mails_links on mails (link_ends_at) where body is not null and link_ends_at is not null;
create index mails_by_about on mails (about);

-- Addresses for which a new password was asked, known or not: the answer does the same for both, a worker looks them up.
create table password_reset_asks (
  email text collate "C" primary key,
  asked_at timestamptz not null
);

-- One for a person: a newer one replaces it, and using it deletes it.
create table password_resets (
  person_id text collate "C" primary key references people,
  token_hash text collate "C" not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
