-- Rates: what sources and the desk report, what was decided from it, and the history of what was accepted. Values are
-- ten-thousandths of a naira per one unit of the currency.

-- Every process serves the rates from memory, and decides them again when what they depend on changes. This notifies all of
-- them with the commit itself. The catalogue has a channel of its own: rates change often, keys do not.
create function rates_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('sliproad_rates', tg_table_name);
  return null;
end
$$;

-- A new price of the desk names its book as well: only that one has to be decided again.
create function desk_prices_added() returns trigger language plpgsql as $$
begin
  perform pg_notify('sliproad_rates', concat_ws(' ', tg_table_name, mode, product))
    from (select distinct mode, product from added) books;
  return null;
end
$$;

-- What a business pays on top of a rate may depend on its tier.
alter table businesses
  add column tier text collate "C" not null default 'standard' check (tier ~ '^[a-z][a-z0-9_-]{0,31}$');

alter table rate_books rename to old_rate_books;
alter table rate_values rename to old_rate_values;

-- How each source outside of the service is doing, the same for every process. One process reads a source at a time.
create table rate_sources (
  name text collate "C" primary key,
  next_read_at timestamptz not null,
  leased_until timestamptz,
  last_read_at timestamptz,
  last_failure_at timestamptz,
  last_failure_code text collate "C" check (last_failure_code in ('unreachable', 'refused', 'unreadable')),
  last_failure_message text,
  -- Since the last answer.
  failures integer not null default 0 check (failures >= 0),
  -- While its circuit is open the source is not read.
  open_until timestamptz,
  constraint rate_sources_failure check ((last_failure_at is null) = (last_failure_code is null))
) with (fillfactor = 70);

-- What a source reported last. A source may report anything, so the value is not bounded here: the decision judges it.
create table rate_readings (
  source text collate "C" not null references rate_sources,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  value_e4 numeric not null,
  as_of timestamptz not null,
  primary key (source, currency)
) with (fillfactor = 70);

-- Prices that people set. The newest of a currency holds. Live prices end, and none of them is a sample.
create table desk_prices (
  id bigint generated always as identity primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  product text collate "C" not null check (product in ('otc_buy', 'usdc_ngnc')),
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  value_e4 bigint not null check (value_e4 > 0),
  as_of timestamptz not null,
  valid_until timestamptz,
  -- Used alone while it is valid.
  override boolean not null,
  -- Two people stand behind it.
  confirmed boolean not null,
  sample boolean not null,
  set_by text not null,
  approved_by text,
  constraint desk_prices_live check (mode = 'test' or (valid_until is not null and not sample)),
  constraint desk_prices_two_people check (not confirmed or approved_by is not null),
  constraint desk_prices_other_person check (approved_by <> set_by)
);
create index desk_prices_newest on desk_prices (mode, product, currency, id);
create index desk_prices_by_time on desk_prices (mode, product, as_of);

-- What is added to a rate, in basis points. A rule without a currency or a tier holds for all that have no rule of their own.
create table spreads (
  id bigint generated always as identity primary key,
  mode text collate "C" not null check (mode in ('live', 'test')),
  product text collate "C" not null check (product in ('otc_buy', 'usdc_ngnc')),
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  tier text collate "C" check (tier ~ '^[a-z][a-z0-9_-]{0,31}$'),
  spread_bps integer not null check (spread_bps between 0 and 5000),
  effective_from timestamptz not null,
  set_by text not null
);

-- Each decision about a product as it was made: every value with what it was made from, and what was rejected and why.
create table rate_decisions (
  id text collate "C" primary key,
  -- The order of the decisions of one book.
  number bigint generated always as identity,
  mode text collate "C" not null check (mode in ('live', 'test')),
  product text collate "C" not null check (product in ('otc_buy', 'usdc_ngnc')),
  at timestamptz not null,
  explanation jsonb not null
);
create index rate_decisions_newest on rate_decisions (mode, product, number);
create index rate_decisions_by_age on rate_decisions (at);

-- The decision in force. Processes decide one book one after the other, under an advisory lock.
create table rate_books (
  mode text collate "C" not null,
  product text collate "C" not null,
  decision_id text collate "C" references rate_decisions,
  -- When the values were last others than now.
  changed_at timestamptz,
  primary key (mode, product)
) with (fillfactor = 50);
insert into rate_books (mode, product)
  select mode, product from unnest(array['live', 'test']) mode, unnest(array['otc_buy', 'usdc_ngnc']) product;

-- The last value of each currency that was accepted, and whether the decision in force has it.
create table rate_values (
  mode text collate "C" not null,
  product text collate "C" not null,
  currency text collate "C" not null,
  value_e4 bigint not null check (value_e4 > 0),
  accepted_at timestamptz not null,
  valid_until timestamptz,
  in_force boolean not null,
  primary key (mode, product, currency),
  foreign key (mode, product) references rate_books
) with (fillfactor = 50);

-- Accepted values before their spread, by minute, hour and day (UTC). An interval without a value has no row.
create table rate_history (
  mode text collate "C" not null,
  product text collate "C" not null,
  currency text collate "C" not null,
  span text collate "C" not null check (span in ('1m', '1h', '1d')),
  at timestamptz not null,
  first_e4 bigint not null,
  last_e4 bigint not null,
  low_e4 bigint not null,
  high_e4 bigint not null,
  primary key (mode, product, currency, span, at)
) with (fillfactor = 80);
create index rate_history_by_age on rate_history (span, at);

-- What operators had set becomes their desk price, and what they added its spread. A live price without an end gets one.
insert into desk_prices (mode, product, currency, value_e4, as_of, valid_until, override, confirmed, sample, set_by)
  select mode, product, v.currency, v.value_e4, b.updated_at,
    case when mode = 'live' then coalesce(b.valid_until, b.updated_at + interval '24 hours') else b.valid_until end,
    false, false, mode = 'test' and b.valid_until is null and s.same, 'service:migration'
  from old_rate_books b
  join old_rate_values v using (mode, product)
  cross join lateral (
    select count(*) = 9 as same from old_rate_values o
    join (values ('USD', 13615000), ('GBP', 18265000), ('EUR', 15763000), ('TRY', 294600), ('CNY', 2009300),
      ('CHF', 17126000), ('CAD', 9751000), ('AED', 3706900), ('KES', 105000)) sample (currency, value_e4)
      on o.currency = sample.currency and o.value_e4 = sample.value_e4
    where o.mode = b.mode and o.product = b.product) s
  order by b.updated_at, mode, product, v.currency;
insert into spreads (mode, product, spread_bps, effective_from, set_by)
  select mode, product, spread_bps, updated_at, 'service:migration' from old_rate_books order by updated_at, mode, product;
insert into rate_values (mode, product, currency, value_e4, accepted_at, valid_until, in_force)
  select mode, product, v.currency, v.value_e4, b.updated_at, b.valid_until, false
  from old_rate_books b join old_rate_values v using (mode, product);
drop table old_rate_values;
drop table old_rate_books;

create trigger append_only before update or delete or truncate on desk_prices
  for each statement execute function append_only();
create trigger append_only before update or delete or truncate on spreads
  for each statement execute function append_only();
create trigger append_only before update or truncate on rate_decisions
  for each statement execute function append_only();

-- A decision is kept for 90 days at least, and for as long as it is in force or explains a quote that was used.
create function rate_decisions_kept() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '90 days' then
    raise exception 'a decision is kept for 90 days' using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;
create trigger rate_decisions_kept before delete on rate_decisions for each row execute function rate_decisions_kept();

create trigger rates_changed after insert or update or delete on rate_readings
  for each statement execute function rates_changed();
create trigger rates_changed after insert on desk_prices referencing new table as added
  for each statement execute function desk_prices_added();
create trigger rates_changed after insert on spreads
  for each statement execute function rates_changed();
create trigger rates_changed after update on rate_books
  for each statement execute function rates_changed();
