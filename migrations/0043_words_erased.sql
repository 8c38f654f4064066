-- Words of customers that no erasure reached: statement rows of a credit, names of statement files, what rails sent and endpoints
-- answered, banks that no directory knows. And requests that wait for years: live records stay as long as the law requires them.

-- What a row is about, and since when that is over. The kinds are those of src/adapters/postgres/privacy/personal-places.ts.
create or replace function over_since(kind text, subject text) returns timestamptz language plpgsql stable as $$
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
    when 'row' then return statement_row_over_since(subject::bigint);
    when 'event' then
      return (select e.received_at from rail_events e where e.id = subject and e.state in ('done', 'ignored'));
    when 'file' then return (select f.ended_at from statement_files f where f.id = subject);
    when 'line' then
      return (select case when c.id is null then to_timestamp(s.reported_at_ms / 1000.0) else credit_over_since(c.id) end
        from simulated_statement s
        left join bank_credits c on c.mode = 'test' and c.source = 'simulated' and c.source_id = s.source_id
        where s.position = subject::bigint);
    when 'order' then
      return (select case when p.about is null then to_timestamp(p.settled_at_ms / 1000.0) else transaction_over_since(p.about) end
        from simulated_payouts p where p.reference = subject);
  end case;
end
$$;

-- A statement row is over with its credit. A row that may still become a credit is not over.
create function statement_row_over_since(row_no bigint) returns timestamptz language plpgsql stable as $$
declare
  s statement_rows;
  credit text;
  report credit_reports;
begin
  select * into s from statement_rows where no = row_no;
  if not found then return null; end if;
  select c.id into credit from bank_credits c
    where c.mode = s.mode and c.source = 'statements' and c.source_id = s.key || '/' || s.ordinal;
  if credit is not null then return credit_over_since(credit); end if;
  select * into report from credit_reports r
    where r.mode = s.mode and r.source = 'statements' and r.source_id = s.key || '/' || s.ordinal;
  if report.id is not null then return over_since('report', report.id); end if;
  if s.release_no is null and s.kind = 'payment' and s.amount_minor > 0 then return null; end if;
  return s.at;
end
$$;

-- More columns may become hashes: they leave the list of `append_only`, and `only_erasure` allows nothing but a hash.
do $$
declare
  place record;
  columns text;
begin
  for place in select * from (values
      ('bank_credits', 'payer_bank_name'), ('credit_reports', 'payer_bank_name'), ('statement_rows', 'payer_bank_name'),
      ('statement_files', 'name'), ('rail_events', 'body')) as places (name, personal) loop
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into strict columns
      from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any (t.tgattr::int2[])
      where t.tgrelid = place.name::regclass and t.tgname = 'append_only' and a.attname <> place.personal;
    execute format('drop trigger append_only on %I', place.name);
    execute format('create trigger append_only before update of %s on %I for each statement execute function append_only()',
      columns, place.name);
  end loop;
end
$$;

drop trigger only_erasure on transactions;
create trigger only_erasure before update on transactions for each row
  execute function only_erasure('transaction', 'id', 'account_number', 'account_name', 'bank_name', 'body_hash');
drop trigger only_erasure on bank_credits;
create trigger only_erasure before update of payer_account, payer_name, payer_bank_name, narration, raw on bank_credits for each row
  execute function only_erasure('credit', 'id', 'payer_account', 'payer_name', 'payer_bank_name', 'narration', 'raw');
drop trigger only_erasure on credit_reports;
create trigger only_erasure before update of payer_account, payer_name, payer_bank_name, narration, raw on credit_reports for each row
  execute function only_erasure('report', 'id', 'payer_account', 'payer_name', 'payer_bank_name', 'narration', 'raw');
-- `time`: the previous version erases rows by their age alone, and runs beside this one.
drop trigger only_erasure on statement_rows;
create trigger only_erasure before update of narration, reference, payer_name, payer_account, narrated_account, payer_bank_name
  on statement_rows for each row
  execute function only_erasure('time', 'at', 'narration', 'reference', 'payer_name', 'payer_account', 'narrated_account', 'payer_bank_name');
create trigger only_erasure before update of name on statement_files for each row
  execute function only_erasure('file', 'id', 'name');
create trigger only_erasure before update of body on rail_events for each row
  execute function only_erasure('event', 'id', 'body');

-- Finds what rails sent about a credit.
create index rail_events_about on rail_events (mode, rail, about) where about is not null;

-- The pseudonym of the person, and when the last ended record may be erased. Null: a version that did not know them made the request.
alter table privacy_requests add column person text collate "C", add column kept_until timestamptz;
