-- Invitations, and the mail that carries them.
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

