// Tests how much of the log a page reads. It must be a few blocks of an index, no matter how long the log is or which plan is
// used.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { BUSINESS, databaseWithKeys, NOW, SCOPE } from '../../../../test/http/store-fixtures.ts';
import { untilReadable } from '../../../../test/support/horizon.ts';
import { makeId } from '../../../domain/values/ids.ts';
import type { Database } from '../connection/database.ts';
import { makeEventLog } from './event-log.ts';

const { database } = await databaseWithKeys();
const TRANSACTIONS = 20_000;

const IDS = Array.from({ length: TRANSACTIONS }, (_, index) =>
  makeId('txn', NOW + (index + 1) * 60_000, new Uint8Array(10)),
);
const idOf = (n: number) => IDS[n - 1]!;

/**
 * Fills the log with transactions that have two timeline lines each. 50 transactions share a database transaction, and one
 * tenth of them belong to one business.
 */
async function fill(): Promise<void> {
  await database.query({
    text: `insert into transactions (id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
        bank_name, flags, vendor_id, body_hash, key_id, created_at, expires_at, committed_by)
      select ids[n], case when n % 10 = 0 then $1 else 'biz_' || n % 7 end, 'test', 'buy',
        'r' || n, 'x', 100, 0, '0123456785', 'x', '{}', 'v', 'h', 'k', to_timestamp(($2::float8 + n * 60000.0) / 1000), now(), n / 50
      from (select $3::text[] as ids), generate_series(1, ${TRANSACTIONS}) n`,
    values: [BUSINESS, NOW, IDS],
  });
  await database.query({
    text: `insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, updated_at)
      select id, business_id, mode, type, created_at, 'cancelled', 3, now() from transactions`,
  });
  await database.query({
    text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode, committed_by)
      select id, v, created_at + v * interval '1 second', 'awaiting_payment', 'cancelled', 'k', 'cancelled_by_business',
        business_id, mode, committed_by + v from transactions, generate_series(2, 3) v`,
  });
  // The commit numbers of the filled rows must belong to database transactions that have ended.
  const behind = `select ${TRANSACTIONS / 50 + 3} - pg_current_xact_id()::text::bigint as behind`;
  for (;;) {
    const { rows } = await database.query<{ behind: string }>({ text: behind });
    if (Number(rows[0]!.behind) <= 0) break;
  }
  await untilReadable(database);
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const each of plan.Plans ?? []) yield* nodesOf(each);
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
}

async function rowsRead(work: (log: ReturnType<typeof makeEventLog>) => Promise<unknown>): Promise<number> {
  let read = 0;
  const explaining: Database = {
    ...database,
    query: async (query) => {
      const { rows } = await database.transaction(async (client) => {
        await client.query(`prepare explained as ${query.text}`);
        const values = (query.values ?? []).map((value) => literal(value)).join(', ');
        const explain = await client.query(`explain (analyze, format json) execute explained (${values})`);
        await client.query('deallocate explained');
        return explain;
      });
      for (const node of nodesOf(rows[0]!['QUERY PLAN'][0].Plan)) {
        if (node['Relation Name'] === undefined) continue;
        const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
        read += each * node['Actual Loops'];
        assert.notEqual(node['Node Type'], 'Seq Scan', `${query.name} reads all of ${node['Relation Name']}`);
      }
      return database.query(query);
    },
  };
  await work(makeEventLog(explaining));
  return read;
}

test('threat 114: a page reads few rows of a long log, with and without statistics, at any start position', async () => {
  await fill();
  const log = makeEventLog(database);
  for (const analysed of [false, true]) {
    if (analysed) await database.query({ text: 'vacuum analyze' });
    const middle = await log.list(SCOPE, { fromMs: NOW + (TRANSACTIONS / 2) * 60_000, limit: 1 });
    const after = middle![0]!.id;
    const position = (await log.read(`200/${idOf(10_000)}/1`, 10)).position;
    const works: readonly [string, number, Parameters<typeof rowsRead>[0]][] = [
      ['the end', 400, (each) => each.end()],
      ['the beginning', 1_500, (each) => each.read('', 20)],
      ['the middle', 1_500, (each) => each.read(position, 20)],
      ['a list', 600, (each) => each.list(SCOPE, { limit: 20 })],
      ['the newest', 600, (each) => each.list(SCOPE, { limit: 20, newestFirst: true })],
      ['after', 600, (each) => each.list(SCOPE, { limit: 20, after })],
      ['before', 600, (each) => each.list(SCOPE, { limit: 20, after, newestFirst: true })],
      ['of one', 60, (each) => each.list(SCOPE, { limit: 20, transactionId: idOf(10) })],
      ['by id', 20, (each) => each.byIds([after])],
    ];
    for (const [what, most, work] of works) {
      const read = await rowsRead(work);
      assert.ok(read <= most, `${what}: ${read} rows, analysed ${analysed}`);
    }
    // The acceptances around a period show where the period is in the log, so only this part of the log is read.
    const fromMs = NOW + (TRANSACTIONS - 100) * 60_000;
    const late = await rowsRead((each) =>
      each.list(SCOPE, { limit: 20, fromMs, types: ['refund.completed'] }),
    );
    assert.ok(late <= 1_500, `of a time: ${late}`);
    const toMs = NOW + 100 * 60_000;
    const early = await rowsRead((each) =>
      each.list(SCOPE, { limit: 20, toMs, types: ['refund.completed'] }),
    );
    assert.ok(early <= 1_500, `to a time: ${early}`);
  }
});
