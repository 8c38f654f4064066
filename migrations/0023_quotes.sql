-- Quotes: a price that holds for one business, one mode and one transaction. A quote is used once: the unique index on
-- transactions.quote_id decides, whichever process accepts.

create table quotes (
  id text collate "C" primary key,
  business_id text collate "C" not null,
  mode text collate "C" not null,
  side text collate "C" not null,
  -- In hundredths of the currency.
  amount_minor bigint not null,
  currency text collate "C" not null,
  -- Null: the transaction may use any network.
  network text,
  naira_minor bigint not null,
  fee_minor bigint not null,
  rate_e4 bigint not null,
  -- The numbers the rate was made from, as they were: [] for naira.
  sources jsonb not null,
  decision_id text collate "C",
  -- Null: a member of the business asked in the dashboard.
  key_id text collate "C",
  idempotency_key text collate "C",
  request_hash text collate "C",
  -- By the database's clock, like every decision about whether a quote has expired.
  created_at timestamptz not null,
  expires_at timestamptz not null,
  transaction_id text collate "C",
  -- One expression: PostgreSQL reads every constraint anew for each statement.
  constraint quotes_sound check (
    mode in ('live', 'test') and side in ('buy', 'sell') and amount_minor > 0 and naira_minor > 0
    and fee_minor >= 0 and fee_minor < naira_minor and rate_e4 > 0 and expires_at > created_at
    and (idempotency_key is null) = (request_hash is null)
    and (currency = 'NGN') = (decision_id is null)
    and (currency <> 'NGN' or (naira_minor = amount_minor and rate_e4 = 10000))
    and (side = 'buy' or currency = 'NGN')
    -- Rounded up to the kobo, whatever wrote it.
    and naira_minor = div(amount_minor::numeric * rate_e4 + 9999, 10000))
);
create index quotes_of_business on quotes (business_id, mode, id);
-- What is open: the exposure of a business is summed over it, and only over what has not expired.
create index quotes_unused on quotes (business_id, mode, expires_at) where transaction_id is null;
create index quotes_used on quotes (business_id, mode, id) where transaction_id is not null;
create unique index quotes_by_idempotency_key on quotes (business_id, mode, idempotency_key)
  where idempotency_key is not null;
-- Decisions that explain a used quote are not forgotten.
create index quotes_by_decision on quotes (decision_id) where transaction_id is not null and decision_id is not null;
-- What is forgotten, in the order of its end.
create index quotes_to_forget on quotes (expires_at) where transaction_id is null;

-- At least what a business has open in a mode: raised with every quote, and set to what is open when that is summed. While the
-- limit is above it, nothing has to be summed. Its row is what two processes that add quotes for one business wait for.
create table quote_exposure (
  business_id text collate "C" not null,
  mode text collate "C" not null,
  most_minor bigint not null,
  most_quotes bigint not null,
  primary key (business_id, mode),
  constraint quote_exposure_sound check (most_minor >= 0 and most_quotes >= 0)
) with (fillfactor = 50);

-- Nothing of a quote changes but the transaction that used it, which is set once. A used quote stays.
create function quotes_hold() returns trigger language plpgsql as $$
begin
  if old.transaction_id is not null
    or (tg_op = 'UPDATE' and (new.transaction_id is null or to_jsonb(new) - 'transaction_id' <> to_jsonb(old) - 'transaction_id'))
    or (tg_op = 'DELETE' and old.expires_at > now())
  then
    raise exception 'a quote is written once and used once' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger quotes_hold before update or delete on quotes for each row execute function quotes_hold();
create trigger append_only before truncate on quotes for each statement execute function append_only();

-- Null: accepted without a quote, which is most of them; those are not in the index.
alter table transactions add column quote_id text collate "C";
create unique index transactions_by_quote on transactions (quote_id) where quote_id is not null;
