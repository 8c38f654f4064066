-- Personal data of customers is kept for a limited time: afterwards names, account numbers and what banks wrote are replaced by keyed
-- hashes. Tables that only grow allow this one replacement, of these columns, in rows about what is over, and nothing else.

-- The form of a keyed hash (src/domain/values/erased.ts). It has no digit after its mark: no account number ends like it.
create function is_erased(value jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(value) = 'string' and (value #>> '{}') ~ '^h1:[a-p]{64}$'
$$;

-- Whether `new` is `old` in which whole values were replaced by hashes. A hash is not replaced again.
create function erased_from(old jsonb, new jsonb) returns boolean language plpgsql immutable as $$
declare
  part text;
begin
  if new = old then return true; end if;
  if is_erased(new) then return jsonb_typeof(old) <> 'null' and not is_erased(old); end if;
  if jsonb_typeof(old) <> 'object' or jsonb_typeof(new) <> 'object' then return false; end if;
  for part in select jsonb_object_keys(old) union select jsonb_object_keys(new) loop
    if not (old ? part and new ? part and erased_from(old -> part, new -> part)) then return false; end if;
  end loop;
  return true;
end
$$;

-- Since when a transaction is over: it has ended, and nothing about it waits. Null: it is not over.
create function transaction_over_since(txn text) returns timestamptz language plpgsql stable as $$
declare
  since timestamptz;
begin
  select s.updated_at into since from transaction_states s where s.transaction_id = txn and s.due_at is null
    and s.state in ('completed', 'refunded', 'cancelled', 'expired', 'rejected');
  if since is null
    or exists (select from movements m where m.transaction_id = txn
      and m.kind in ('send', 'payout') and m.state not in ('failed', 'returned') and m.state <> 'done')
    or exists (select from movements m where m.transaction_id = txn and m.kind = 'refund' and movement_waits(m))
    or exists (select from bank_credits c where c.transaction_id = txn and c.state in ('unmatched', 'review'))
    or exists (select from cases c where c.transaction_id = txn and c.closed_at is null)
    or exists (select from account_enquiries e where e.transaction_id = txn and e.due_at is not null)
    or exists (select from proposals p where p.subject_id = any (array[txn]
        || array(select m.id from movements m where m.transaction_id = txn and m.kind = 'refund')
        || array(select c.id from bank_credits c where c.transaction_id = txn)
        || array(select c.id from cases c where c.transaction_id = txn))
      and not exists (select from proposal_decisions d where d.proposal_id = p.id))
  then return null; end if;
  return since;
end
$$;

-- A refund that was refused waits for people, unless another one pays what it owed (src/domain/settlement/refund.ts).
create function movement_waits(m movements) returns boolean language sql stable as $$
  select m.state not in ('done', 'returned', 'failed')
    or (m.state = 'failed' and m.kind = 'refund' and not starts_with(coalesce(m.reason, ''), 'replaced by '))
$$;

-- The same of a bank credit: what it pays is over, its refunds are paid, and its parts are over.
create function credit_over_since(credit text) returns timestamptz language plpgsql stable as $$
declare
  c bank_credits;
  since timestamptz;
begin
  select * into c from bank_credits where id = credit;
  if not found or c.state in ('unmatched', 'review') or c.due_at is not null
    or exists (select from movements m where m.credit_id = credit and movement_waits(m))
    or exists (select from cases o where o.credit_id = credit and o.closed_at is null)
    or exists (select from bank_notices n where n.mode = c.mode and n.source = c.source and n.about = c.source_id and n.state <> 'done')
    or exists (select from proposals p where p.subject_id = credit
      and not exists (select from proposal_decisions d where d.proposal_id = p.id))
    or exists (select from bank_credits part where part.parent_id = credit and credit_over_since(part.id) is null)
  then return null; end if;
  since := greatest(c.received_at, (select max(m.updated_at) from movements m where m.credit_id = credit));
  if c.transaction_id is null then return since; end if;
  return case when transaction_over_since(c.transaction_id) is not null
    then greatest(since, transaction_over_since(c.transaction_id)) end;
end
$$;

-- What a row is about, and since when that is over. The kinds are those of src/adapters/postgres/privacy/places.ts.
create function over_since(kind text, subject text) returns timestamptz language plpgsql stable as $$
declare
  m movements;
begin
  case kind
    when 'transaction' then return transaction_over_since(subject);
    when 'credit' then return credit_over_since(subject);
    when 'time' then return subject::timestamptz;
    when 'report' then
      return (select case when r.state = 'explained' then r.received_at
        when r.state in ('linked', 'counted') then credit_over_since(r.credit_id) end from credit_reports r where r.id = subject);
    when 'notice' then
      return (select n.received_at from bank_notices n where n.id = subject and n.state = 'done');
    when 'movement' then
      select * into m from movements where id = subject;
      if not found or movement_waits(m) then return null; end if;
      if m.transaction_id is not null then return transaction_over_since(m.transaction_id); end if;
      if m.credit_id is not null then return credit_over_since(m.credit_id); end if;
      return null;
  end case;
end
$$;

-- Refuses every change of a row but one: personal columns become hashes, when what the row is about is over. Its arguments: the kind
-- and the column for over_since, then the personal columns.
create function only_erasure() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  now_is jsonb := to_jsonb(new);
  personal text[] := tg_argv[2:];
  part text;
begin
  if was - personal <> now_is - personal then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  foreach part in array personal loop
    if not erased_from(was -> part, now_is -> part) then
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end if;
  end loop;
  if was <> now_is and over_since(tg_argv[0], was ->> tg_argv[1]) is null then
    raise exception '% is append-only: a row about what is not over', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

drop trigger append_only on transactions;
create trigger append_only before delete or truncate on transactions
  for each statement execute function append_only();
create trigger only_erasure before update on transactions for each row
  execute function only_erasure('transaction', 'id', 'account_number', 'account_name', 'body_hash');
-- Weaker than before, so every row that is there meets it.
alter table transactions drop constraint transactions_sound;
alter table transactions add constraint transactions_sound check (
  amount_minor > 0 and fee_minor between 0 and amount_minor
  and (length(account_number) = 10 or starts_with(account_number, 'h1:'))
  and (type = 'buy') = (vendor_id is not null) and (type = 'sell') = (deposits is not null)) not valid;

drop trigger append_only on timeline;
create trigger append_only before delete or truncate on timeline
  for each statement execute function append_only();
create trigger only_erasure before update on timeline for each row
  execute function only_erasure('transaction', 'transaction_id', 'evidence');

drop trigger append_only on bank_credits;
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_bank_name, payer_bank_code, session_id, session_key, source_version, balance_minor, value_at, received_at,
    parent_id, business_id on bank_credits
  for each statement execute function append_only();
create trigger only_erasure before update of payer_account, payer_name, narration, raw on bank_credits for each row
  execute function only_erasure('credit', 'id', 'payer_account', 'payer_name', 'narration', 'raw');

drop trigger append_only on credit_reports;
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_bank_name, payer_bank_code, session_id, balance_minor, value_at, received_at, business_id
    on credit_reports
  for each statement execute function append_only();
create trigger only_erasure before update of payer_account, payer_name, narration, raw on credit_reports for each row
  execute function only_erasure('report', 'id', 'payer_account', 'payer_name', 'narration', 'raw');

drop trigger append_only on quarantine;
create trigger append_only before delete or truncate on quarantine
  for each statement execute function append_only();
create trigger only_erasure before update on quarantine for each row
  execute function only_erasure('time', 'at', 'raw');

-- Numbers of releases are given later; everything else stays as it was read.
drop trigger append_only on statement_rows;
create trigger append_only before update of no, mode, account, day, key, ordinal, amount_minor, balance_minor, value_day, booked_at,
    session_id, payer_bank_name, kind, file_id, line, seq, at on statement_rows
  for each statement execute function append_only();
create trigger only_erasure before update of narration, reference, payer_name, payer_account on statement_rows for each row
  execute function only_erasure('time', 'at', 'narration', 'reference', 'payer_name', 'payer_account');

-- What the audit log committed to before a row was erased: the hash of its line, as digests of activity take it (docs/audit.md).
-- Version 0: the facts of the transaction. An entry `privacy.erased` commits to each batch, and to the rows as they are since then.
create table erased_lines (
  transaction_id text collate "C" not null,
  version integer not null,
  line_hash bytea not null,
  batch text collate "C" not null,
  primary key (transaction_id, version)
);
create index erased_lines_by_batch on erased_lines (batch);
create trigger append_only before update or delete or truncate on erased_lines
  for each statement execute function append_only();

-- How far the worker has walked through each place of personal data, and how much it replaced.
create table privacy_progress (
  place text collate "C" primary key,
  position text[],
  erased bigint not null default 0,
  updated_at timestamptz not null
);
-- Rows that it passed because what they are about was not over long enough.
create table privacy_waiting (
  place text collate "C" not null,
  key text[] not null,
  look_at timestamptz not null,
  primary key (place, key)
);
create index privacy_waiting_due on privacy_waiting (place, look_at);

-- What shall be erased at once, because one person asked for it: a transaction, a credit, or a row. No personal data.
create table privacy_requests (
  subject text collate "C" primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  requested_by text not null,
  at timestamptz not null,
  -- What is not over yet is looked at again.
  look_at timestamptz not null,
  done_at timestamptz
);
create index privacy_requests_open on privacy_requests (look_at) where done_at is null;
