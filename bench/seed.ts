// Fills a database with past transactions whose data is like that of real ones. Their ids are in time order over ninety days,
// each has a timeline, a third have an idempotency key, and the sells have deposit targets. Afterwards the tables are vacuumed
// and analysed.
import pg from 'pg';
import { bootstrapRole } from '../src/adapters/embedded/server/settings.ts';
import { CLAIM_COLUMNS, OPEN_CLAIM_STATES_SQL } from '../src/adapters/postgres/reads/candidates.ts';
import type { BenchService } from './service-process.ts';

const BATCH = 100_000;

export async function seedTransactions(
  service: BenchService,
  count: number,
  onProgress: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ ...service.connection, user: bootstrapRole });
  await client.connect();
  try {
    await client.query(ENCODE_TIME);
    for (let done = 0; done < count; done += BATCH) {
      onProgress(`storing ${count} past transactions: ${done}`);
      await client.query(SEED, [done, Math.min(done + BATCH, count) - 1, count, service.businessId]);
    }
    onProgress('vacuum and analyse');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  } finally {
    onProgress('');
    await client.end();
  }
}

const ENCODE_TIME = `
create or replace function pg_temp.id_time(ms bigint) returns text language sql immutable as $$
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * (9 - i))) & 31)::int + 1, 1), '' order by i)
  from generate_series(0, 9) as i
$$`;

const SEED = `
with past as (
  select i, n.ms, 'txn_' || pg_temp.id_time(n.ms) || substr(md5(i::text || 'id'), 1, 16) as id,
    case when i % 10 < 7 then 'buy' else 'sell' end as type,
    (array['completed', 'completed', 'completed', 'completed', 'completed', 'completed', 'expired', 'cancelled',
      'refunded', case when i % 10 < 7 then 'awaiting_payment' else 'awaiting_deposit' end])[1 + i * 7 % 10]::transaction_state as state,
    '0x' || substr(md5(i::text) || md5(i::text || 'w'), 1, 40) as address
  from generate_series($1::bigint, $2::bigint) as i,
    lateral (select (extract(epoch from now()) * 1000)::bigint - 7776000000 + i * (7775000000 / $3::bigint) as ms) n
), stored as (
  insert into transactions (id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
    account_name, bank_name, bank_code, flags, vendor_id, vendor_name, vendor_number, vendor_bank, deposits, body_hash,
    key_id, created_at, expires_at)
  select p.id, $4, 'test', type, 'past-' || substr(md5(i::text || 'r'), 1, 20), 'sandbox',
    1500000 + i * 37 % 90000000, 0, lpad((i * 7919 % 10000000000)::text, 10, '0'), 'Customer ' || i, 'GTBank',
    'guaranty-trust-bank', '{}', v.id, v.name, v.number, v.bank,
    case when type = 'sell' then jsonb_build_array(jsonb_build_object('network', 'Polygon', 'address', address,
      'memo', null, 'memoType', null, 'asset', 'NGNC', 'decimals', 6, 'expectedToken', '15000000000',
      'confirmations', 16, 'expiresAtMs', ms + 86400000)) end,
    encode(sha256(i::text::bytea), 'base64'), k.id, to_timestamp(ms / 1000.0),
    to_timestamp(ms / 1000.0 + 86400)
  from past p
  cross join (select id from api_keys where business_id = $4 and mode = 'test' order by id limit 1) k
  left join lateral (select id, name, number, bank from vendors where mode = 'test' order by id limit 1) v
    on type = 'buy'
  returning id, mode, type, vendor_number, account_number, amount_minor, expires_at, reference
), states as (
  insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, updated_at,
    network, wallet_address)
  select id, $4, 'test', type, to_timestamp(ms / 1000.0), state, 3, to_timestamp(ms / 1000.0), 'Polygon', address
  from past
), claims as (
  insert into open_claims (${CLAIM_COLUMNS})
  select s.id, s.mode, s.vendor_number, s.account_number, s.amount_minor, s.expires_at, s.reference
  from stored s join past p on p.id = s.id where s.type = 'buy' and p.state in ${OPEN_CLAIM_STATES_SQL}
), lines as (
  insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode, network,
    wallet_address)
  select id, version, to_timestamp(ms / 1000.0), state, state, 'seed', 'moved', $4, 'test', 'Polygon', address
  from past, generate_series(2, 3) as version
), keys as (
  insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
  select $4, 'test', md5(i::text || 'k'), encode(sha256(i::text::bytea), 'base64'), id, now() from past where i % 3 = 0
)
insert into deposit_targets (mode, network, address, memo, transaction_id)
select 'test', 'Polygon', address, '', id from past where type = 'sell'`;
