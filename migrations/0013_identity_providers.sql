-- Sign-ins through the operator's own identity provider: whom it vouches for, and those who are on their way to it.

create table provided_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  person_id text collate "C" not null references people,
  bound_at timestamptz not null,
  primary key (issuer, subject),
  -- An address that the provider gives to another person does not open the account of the first.
  constraint provided_identities_one_each unique (person_id, issuer)
);

create table provider_attempts (
  key_hash text collate "C" primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  expires_at timestamptz not null
);
create index provider_attempts_by_end on provider_attempts (expires_at);
