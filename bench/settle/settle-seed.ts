// Adds the settlement history to past transactions: credits with their matches, movements with their attempts, and ledger
// entries with their postings. Ids and amounts are distributed like real ones. Each balance is the sum of its postings.
import pg from 'pg';
import { bootstrapRole } from '../../src/adapters/embedded/server/settings.ts';
import { CHART_OF_ACCOUNTS } from '../../src/domain/ledger/chart-of-accounts.ts';
import { NAIRA, tokenAsset } from '../../src/domain/values/money.ts';
import type { BenchService } from '../service-process.ts';

const BATCH = 100_000;

export async function seedSettlements(
  service: BenchService,
  onProgress: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ ...service.connection, user: bootstrapRole });
  await client.connect();
  try {
    const token = tokenAsset('NGNC', 'Polygon');
    await client.query(ACCOUNTS, [
      token,
      NAIRA,
      Object.keys(CHART_OF_ACCOUNTS),
      Object.values(CHART_OF_ACCOUNTS).map(({ side }) => side),
      Object.values(CHART_OF_ACCOUNTS).map(({ of }) => of),
    ]);
    const { rows } = await client.query<{ count: string }>('select count(*) from transactions');
    const count = Number(rows[0]!.count);
    for (let done = 0; done < count; done += BATCH) {
      onProgress(`settling ${count} past transactions: ${done}`);
      await client.query(SETTLE, [BATCH, done, token, NAIRA]);
    }
    await client.query(BALANCES);
    await client.query(`select setval('entry_ids', (select max(id) + 8192 from entries))`);
    onProgress('vacuum and analyse');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  } finally {
    onProgress('');
    await client.end();
  }
}

const ACCOUNTS = `
insert into accounts (key, mode, asset, name, side)
select 'test/' || asset || '/' || name || case when name = 'bank_in' then '/past' else '' end, 'test', asset, name, side
from unnest($3::text[], $4::text[], $5::text[]) as c(name, side, belongs), unnest(array[$1, $2]::text[]) as asset
where belongs in ('both', case when asset = $2 then 'naira' else 'token' end)
on conflict do nothing`;

// Every completed buy gets five entries and fourteen postings, exactly as the code of the service writes them.
const SETTLE = `
with past as (
  select row_number() over (order by id) + $2::bigint as n, * from (
    select t.*, s.wallet_address from transactions t join transaction_states s on s.transaction_id = t.id
    where t.reference like 'past-%' and s.state = 'completed' and t.type = 'buy' order by t.id offset $2 limit $1) t
), credits as (
  insert into bank_credits (id, mode, source, source_id, account_number, amount_minor, payer_account, payer_name,
    payer_bank_name, value_at, received_at, raw, state, transaction_id, version)
  select 'crd_' || substr(id, 5), 'test', 'past', id, vendor_number, amount_minor, account_number, account_name, bank_name,
    created_at, created_at, '{}', 'matched', id, 3 from past
), decisions as (
  insert into match_decisions (credit_id, version, transaction_id, rule_version, verdict, candidates, actor, at)
  select 'crd_' || substr(id, 5), 3, id, 1, '{"kind":"matched"}', '[]', 'matching', created_at from past
), moved as (
  insert into movements (id, kind, mode, network, asset, amount_minor, naira_minor, transaction_id, destination, state,
    version, attempts, created_at, updated_at)
  select 'mov_' || substr(id, 5), 'send', 'test', 'Polygon', $3, amount_minor * 10000, amount_minor, id,
    jsonb_build_object('address', wallet_address), 'done', 4, 1, created_at, created_at from past
), tried as (
  insert into movement_attempts (movement_id, no, mode, network, reference, source, payload, bound, state, at, updated_at)
  select 'mov_' || substr(id, 5), 1, 'test', 'Polygon', '0x' || md5(id) || md5(id || 'h'), 'past', md5(id), '0', 'landed',
    created_at, created_at from past
), steps as (
  select * from (values (0, 'credit_received'), (1, 'credit_matched'), (2, 'tokens_reserved'), (3, 'tokens_sent'),
    (4, 'tokens_confirmed')) as s(step, event)
), entered as (
  insert into entries (id, mode, event, subject_id, at)
  select 1000000 + n * 5 + step, 'test', event, id, created_at from past, steps
), legs as (
  select l.step, l.sign, a.id as account_id, l.token from (values
    (0, 1, 'bank_in', false), (0, -1, 'suspense', false), (1, 1, 'suspense', false), (1, -1, 'owed', false),
    (2, 1, 'reserved', true), (2, -1, 'treasury', true), (3, 1, 'sent', true), (3, -1, 'reserved', true),
    (3, 1, 'owed', false), (3, -1, 'in_flight', false), (4, 1, 'out', true), (4, -1, 'sent', true),
    (4, 1, 'in_flight', false), (4, -1, 'delivered', false)) as l(step, sign, name, token)
  join accounts a on a.mode = 'test' and a.name = l.name and a.asset = case when l.token then $3 else $4 end
    and (l.name <> 'bank_in' or a.key like '%/past')
)
insert into postings (entry_id, account_id, amount_minor)
select 1000000 + n * 5 + step, account_id, sign * amount_minor * case when token then 10000 else 1 end from past, legs`;

const BALANCES = `
update accounts a set balance = s.sum from (
  select account_id, sum(amount_minor) as sum from postings group by account_id) s where s.account_id = a.id`;
