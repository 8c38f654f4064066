-- What a business sees of its keys: a name, what the key may do, when it was last used; and its log of requests as a list.

alter table api_keys
  add column name text not null default '' check (char_length(name) <= 60),
  -- 'read': only requests that change nothing.
  add column scope text collate "C" not null default 'full' check (scope in ('full', 'read'));

-- A hint, written in batches after the requests. A table of its own: a change of api_keys makes every process read the catalogue again.
create table api_key_uses (
  key_id text collate "C" primary key,
  last_used_at timestamptz not null
) with (fillfactor = 80);

create index request_log_of_business on request_log (business_id, mode, at, request_id);
