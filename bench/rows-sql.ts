// Creates and fills the tables of the benchmark `rows`. One layout is the earlier wide row of a transaction with its seven
// indexes. The other layout is the tables of the product with the same transactions.

export type Fill = (first: number, last: number) => string[];

const OPEN = `type = 'buy' and state in ('awaiting_wallet', 'awaiting_payment', 'expired', 'on_hold', 'cancelled')`;

export const WIDE: readonly string[] = [
  `create table wide (
    id text collate "C" primary key, business_id text collate "C" not null, mode text collate "C" not null,
    type text collate "C" not null, reference text collate "C" not null, link_tag text not null,
    state transaction_state not null, state_reason text, version integer not null, amount_minor bigint not null,
    fee_minor bigint not null, account_number text collate "C" not null, account_name text, bank_name text not null,
    bank_code text collate "C", flags text[] not null, vendor_id text collate "C", vendor_name text,
    vendor_number text collate "C", vendor_bank text, network text, wallet_address text, deposits jsonb, exception text,
    body_hash text collate "C" not null, key_id text collate "C" not null, created_at timestamptz not null,
    updated_at timestamptz not null, expires_at timestamptz not null, due_at timestamptz,
    tries integer not null default 0, tx_hash text collate "C", received_minor bigint not null default 0,
    refunded_minor bigint not null default 0, released boolean not null default false,
    check (version > 0 and amount_minor > 0 and fee_minor between 0 and amount_minor and length(account_number) = 10
      and (network is null) = (wallet_address is null)
      and (type = 'buy') = (vendor_id is not null) and (type = 'sell') = (deposits is not null)))`,
  'create index on wide (business_id, mode, type, created_at, id)',
  'create index on wide (business_id, mode, type, state, created_at, id)',
  'create unique index on wide (business_id, mode, reference)',
  'create index on wide (state, due_at) where due_at is not null',
  `create index on wide (vendor_number, amount_minor, expires_at) where ${OPEN} and amount_minor > 0`,
  `create index on wide ((vendor_number || ' ' || reverse(account_number)) collate "C")
    where ${OPEN} and vendor_number <> ''`,
  `create index on wide (mode, id) where state = 'on_hold'`,
];

const FACTS = `id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number, account_name,
  bank_name, bank_code, flags, vendor_id, vendor_name, vendor_number, vendor_bank, body_hash, key_id, created_at, expires_at`;

const made = (first: number, last: number) => `select 'txn_01abcdefgh' || lpad(i::text, 16, '0') as id,
    'biz_01abcdefghjkmnpqrstvwxyz01' as business_id, 'test' as mode, 'buy' as type, 'order-' || md5(i::text) as reference,
    'sandbox' as link_tag, 1500000 + i % 5000 as amount_minor, 0 as fee_minor,
    lpad((i::bigint * 7919 % 10000000000)::text, 10, '0') as account_number, 'Ada Obi' as account_name,
    'GTBank' as bank_name, 'guaranty-trust-bank' as bank_code, '{}'::text[] as flags,
    'vnd_01abcdefghjkmnpqrstvwxyz01' as vendor_id, 'Vendor' as vendor_name, '9900000011' as vendor_number,
    'Providus Bank' as vendor_bank, md5(i::text) as body_hash, 'key_01abcdefghjkmnpqrstvwxyz01' as key_id,
    now() as created_at, now() + interval '1 day' as expires_at
  from generate_series(${first}, ${last}) as i`;

const STATE = `'awaiting_payment'::transaction_state, 1, expires_at, created_at, 'Polygon',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'`;

export const FILL_WIDE: Fill = (first, last) => [
  `insert into wide (${FACTS}, state, version, due_at, updated_at, network, wallet_address)
    select ${FACTS}, ${STATE} from (${made(first, last)}) t`,
];

export const FILL_STATES =
  (claimColumns: string): Fill =>
  (first, last) => [
    `with t as materialized (${made(first, last)}), facts as (
        insert into transactions (${FACTS}) select ${FACTS} from t
      ), claims as (
        insert into open_claims (${claimColumns})
        select id, mode, vendor_number, account_number, amount_minor, expires_at, reference from t
      )
      insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, due_at,
        updated_at, network, wallet_address)
      select id, business_id, mode, type, created_at, ${STATE} from t`,
  ];
