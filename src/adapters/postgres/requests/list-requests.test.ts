// Tests that a page of the request log reads a limited number of rows of one business by the index. The limit holds no matter
// how long the log is and how many rows the filter excludes.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import pg from 'pg';
import { databaseWithKeys, NOW, SCOPE } from '../../../../test/http/store-fixtures.ts';
import type { RequestFilter } from '../../../ports/request-log.ts';
import type { Database } from '../connection/database.ts';
import { listRequests, MOST_SCANNED } from './list-requests.ts';

const { database } = await databaseWithKeys();
const ROWS = 20_000;

before(() =>
  database.query({
    text: `insert into request_log (business_id, mode, request_id, at, key_id, method, path, status, duration_ms, body_truncated)
      select case when n % 2 = 0 then $1 else 'biz_other' end, 'test', 'req_' || n, to_timestamp($2::float8 / 1000 + n), 'key_test',
        'POST', '/transactions/v1/onramp', case when n % 2000 = 0 then 500 else 200 end, 1, false
      from generate_series(1, ${ROWS}) n`,
    values: [SCOPE.businessId, NOW],
  }),
);

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const each of plan.Plans ?? []) yield* nodesOf(each);
}

async function readsOf(filter: RequestFilter): Promise<readonly Plan[]> {
  let reads: readonly Plan[] = [];
  const explaining: Database = {
    ...database,
    query: async (query) => {
      const literal = (value: unknown) => (value === null ? 'null' : pg.escapeLiteral(String(value)));
      const text = query.text.replaceAll(/\$(\d+)/g, (_, no: string) =>
        literal(query.values![Number(no) - 1]),
      );
      const explained = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (analyze, format json) ${text}`,
      });
      const nodes = [...nodesOf(explained.rows[0]!['QUERY PLAN'][0].Plan)];
      reads = nodes.filter((node) => node['Relation Name'] === 'request_log');
      return database.query(query);
    },
  };
  await listRequests(explaining, SCOPE, filter);
  return reads;
}

test('every page is read by the index of the business, and reads a limited number of rows', async () => {
  const after = { atMs: NOW + 5_000_000, requestId: 'req_5000' };
  for (const filter of [
    { limit: 50 },
    { limit: 50, statusClass: 5 },
    { limit: 50, pathContains: 'nothing', after },
    { limit: 50, fromMs: NOW + 1_000_000, toMs: NOW + 1_100_000 },
  ] satisfies RequestFilter[]) {
    const reads = await readsOf(filter);
    assert.deepEqual(
      reads.map((node) => node['Index Name']),
      ['request_log_of_business'],
      JSON.stringify(filter),
    );
    assert.ok(reads[0]!['Actual Rows'] <= MOST_SCANNED);
    assert.ok((reads[0]!['Rows Removed by Filter'] ?? 0) === 0);
  }
});

test('with a filter the pages continue to the end of the log and find each request once', async () => {
  const found: string[] = [];
  let pages = 0;
  let next: RequestFilter['after'] | null;
  do {
    const page = await listRequests(database, SCOPE, {
      ...{ limit: 50, statusClass: 5 },
      ...(next === undefined ? {} : { after: next }),
    } as RequestFilter);
    found.push(...page.requests.map(({ requestId }) => requestId));
    next = page.next;
    pages++;
  } while (next !== null);
  assert.deepEqual(
    found,
    Array.from({ length: 10 }, (_, i) => `req_${ROWS - i * 2_000}`),
  );
  assert.ok(pages > 1);
});

test('an empty log has no next page, and neither has a page that ends exactly at the end of the log', async () => {
  const live = await listRequests(database, { ...SCOPE, mode: 'live' }, { limit: 10 });
  assert.deepEqual(live, { requests: [], next: null });
  const range = { fromMs: NOW + 2_000, toMs: NOW + 20_000 };
  const whole = await listRequests(database, SCOPE, { limit: 10, ...range });
  assert.deepEqual([whole.requests.length, whole.next], [10, null]);
  const part = await listRequests(database, SCOPE, { limit: 9, ...range });
  assert.equal(part.next?.requestId, 'req_4');
});
