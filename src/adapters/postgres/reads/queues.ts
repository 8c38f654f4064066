// Leases records from the queues. A worker gets the oldest due records that no other worker is leasing at that moment. The
// lease raises the version of the record. So after another worker has leased the record, a worker with an older lease cannot
// commit. Feeds are leased in the same way, by one reader at a time.
import type { Movement } from '../../../domain/records/movement.ts';
import type { TransactionState } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { FeedLease } from '../../../ports/store/commit.ts';
import type { LeaseRequest } from '../../../ports/store/queues.ts';
import type { Database } from '../connection/database.ts';
import { MOVEMENTS, type RowReader } from './settlement-rows.ts';
import { JOIN_FACTS, TRANSACTION_COLUMNS, toTransaction } from './transaction-rows.ts';

const LEASED = `due_at = to_timestamp(($1::float8 + $2::float8) / 1000), version = t.version + 1, tries = t.tries + 1`;
// The statement finds the rows to update by their ids. With a join, the planner would scan the whole table while it is small.
const DUE = `due_at <= to_timestamp($1::float8 / 1000) order by due_at limit $3 for update skip locked`;

/**
 * Leases transactions of one state after another. Each state has a separate index range, so a long queue in one state never
 * hides the records in another state.
 */
export async function leaseTransactions(
  database: Database,
  states: readonly TransactionState[],
  { atMs, leaseMs, limit }: LeaseRequest,
): Promise<readonly Transaction[]> {
  const leased: Transaction[] = [];
  for (const state of states) {
    const { rows } = await database.query({
      name: 'lease-transactions',
      text: `with leased as (
          update transaction_states t set ${LEASED} where t.transaction_id = any (array(
            select transaction_id from transaction_states where queue = $4 and ${DUE}))
          returning t.*)
        select ${TRANSACTION_COLUMNS} from leased s ${JOIN_FACTS}`,
      values: [atMs, leaseMs, limit - leased.length, state],
    });
    leased.push(...rows.map(toTransaction));
    if (leased.length >= limit) break;
  }
  return leased;
}

/** Bank movements are leased for longer than others, because banks answer more slowly. */
export async function leaseMovements(
  database: Database,
  states: readonly string[],
  { atMs, leaseMs, limit, bankLeaseMs = leaseMs }: LeaseRequest & { readonly bankLeaseMs?: number },
): Promise<readonly Movement[]> {
  const { rows } = await database.query({
    name: 'lease-movements-states',
    text: `update movements t set version = t.version + 1, tries = t.tries + 1,
        due_at = to_timestamp(($1::float8 + case when t.network is null then $5::float8 else $2::float8 end) / 1000)
      where t.id = any (array(select id from movements where state::text = any ($4::text[]) and ${DUE}))
      returning ${MOVEMENTS.columns}`,
    values: [atMs, leaseMs, limit, states, bankLeaseMs],
  });
  return rows.map(MOVEMENTS.read);
}

export async function leaseRecords<Record>(
  database: Database,
  { table, columns, read }: RowReader<Record>,
  { atMs, leaseMs, limit }: LeaseRequest,
): Promise<readonly Record[]> {
  const { rows } = await database.query({
    name: `lease-${table}`,
    text: `update ${table} t set ${LEASED}
      where t.id = any (array(select id from ${table} where ${DUE}))
      returning ${columns}`,
    values: [atMs, leaseMs, limit],
  });
  return rows.map(read);
}

export async function holdFeed(
  database: Database,
  name: string,
  holder: string,
  atMs: number,
  leaseMs: number,
): Promise<FeedLease | undefined> {
  const { rows } = await database.query<{ fence: string; position: string | null }>({
    name: 'hold-feed',
    text: `insert into feeds as f (name, holder, held_until, fence)
      values ($1, $2, to_timestamp(($3::float8 + $4::float8) / 1000), 1)
      on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until,
        fence = f.fence + case when f.holder = excluded.holder then 0 else 1 end
      where f.holder = excluded.holder or f.held_until <= to_timestamp($3::float8 / 1000)
      returning fence, position`,
    values: [name, holder, atMs, leaseMs],
  });
  const row = rows[0];
  return row && { name, fence: Number(row.fence), position: row.position };
}
