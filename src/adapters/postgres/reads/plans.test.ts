// Tests the plans that PostgreSQL makes and keeps for the statements of the service. Every table is read through an index
// condition and never scanned completely. This is true even if the plan was made while the tables were empty or had a few rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptedBuys,
  attempt,
  credit,
  deposit,
  FUNDING,
  matching,
  movement,
  notice,
  recording,
} from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW, SCOPE, transaction } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { databaseTimeoutMs } from '../../../../test/support/patience.ts';
import { makeMove } from '../../../domain/records/change.ts';
import type { CreditReport } from '../../../domain/records/credit.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { makeEventQueue } from '../rails/event-queue.ts';
import { makeStatementFeed } from '../statements/statement-feed.ts';
import { makePostgresStore } from '../store.ts';
import { makeClaimLimits } from './claim-limits.ts';

const { url, database } = await databaseWithKeys();
/** These tables have a few rows, so a statement may read them completely. */
const SMALL = new Set(['accounts', 'feeds', 'api_keys', 'businesses']);

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Join Filter'?: string;
  'Parent Relationship'?: string;
  Plans?: Plan[];
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const each of plan.Plans ?? []) yield* nodesOf(each);
}

function troublesOf(plan: Plan): string[] {
  const troubles: string[] = [];
  for (const node of nodesOf(plan)) {
    const kind = node['Node Type'];
    const table = node['Relation Name'];
    if (kind === 'Seq Scan' && !SMALL.has(table!)) troubles.push(`reads all of ${table}`);
    if (/^Index (Only )?Scan$/.test(kind) && node['Index Cond'] === undefined && !SMALL.has(table!))
      troubles.push(`reads all of ${table} by ${node['Index Name']}`);
    const [outer, inner] =
      node.Plans?.filter((each) => /Outer|Inner/.test(each['Parent Relationship'] ?? '')) ?? [];
    const given = (each?: Plan) => /^(CTE|Function) Scan$|^Materialize$/.test(each?.['Node Type'] ?? '');
    // A nested loop without a filter is fine, because every pair is part of the result.
    if (kind === 'Nested Loop' && node['Join Filter'] !== undefined && given(outer) && given(inner))
      troubles.push('loops over two inputs');
  }
  return troubles;
}

async function explained(
  work: (store: ReturnType<typeof makePostgresStore>, on: Database) => Promise<void>,
): Promise<Map<string, string[]>> {
  const texts = new Map<string, string>();
  const noting: Database = {
    ...database,
    query: (query) => {
      if (query.name !== undefined) texts.set(query.name, query.text);
      return database.query(query);
    },
  };
  await work(makePostgresStore(noting), noting);
  const troubles = new Map<string, string[]>();
  // A new database connection knows the current size of the tables.
  const fresh = openDatabase({
    connection: { connectionString: url },
    poolSize: 1,
    answerTimeoutMs: databaseTimeoutMs(),
    applicationName: 'plans',
    onError: () => undefined,
  });
  for (const [name, text] of texts) {
    const { rows } = await fresh.query({ text: `explain (generic_plan, format json) ${text}` });
    const found = troublesOf(rows[0]!['QUERY PLAN'][0].Plan);
    if (found.length > 0) troubles.set(`${name}: ${text}`, found);
  }
  await fresh.close();
  return troubles;
}

const request = { atMs: NOW, leaseMs: 1_000, limit: 10 };

async function everything(store: ReturnType<typeof makePostgresStore>): Promise<void> {
  await commitAll(store, [FUNDING]);
  const [buy] = await acceptedBuys(database, 1);
  const [paid, seen, reported] = [credit(), deposit(), notice()];
  const other = movement();
  await commitAll(store, [
    recording(paid),
    { atMs: NOW, newDeposits: [seen], newNotices: [reported] },
    { atMs: NOW, newMovements: [other], attempts: [attempt(other)] },
  ]);
  await commitAll(store, [matching(buy!, paid)]);
  await commitAll(store, [
    {
      atMs: NOW,
      deposits: [makeMove(seen, {})],
      notices: [makeMove(reported, {})],
      movements: [makeMove(other, {})],
    },
  ]);
  await store.leaseTransactions(['paid'], request);
  await store.leaseCredits(request);
  await store.leaseDeposits(request);
  await store.leaseNotices(request);
  await store.leaseMovements(['pending', 'unknown'], request);
  await store.findCandidates([paid, credit({ payerAccount: null })], 1_000);
  await store.claimsOfAmount([paid], 1_000, 500);
  await store.hastenCredits([transaction()], NOW);
  await store.hastenRefunds(buy!.id, NOW);
  await store.findDepositTargets('test', 'Polygon', [{ address: 'x', memo: '' }]);
  await store.depositAddresses('test', 'Polygon', NOW);
  await store.oldDepositAddresses('test', 'Polygon', { beforeMs: NOW, afterId: null, limit: 100 });
  await store.transactionsById([buy!.id]);
  await store.creditsById([paid.id]);
  await store.creditsOf([buy!.id]);
  await store.depositsOf([buy!.id]);
  await store.movementsOf([buy!.id]);
  await store.movementsOfCredit(paid.id);
  await store.movementById(other.id);
  await store.lastAttempts([other.id]);
  await store.findCredit('test', 'bank', 'x');
  await store.hasOpenReturn('test', 'bank', 'x');
  await store.usage([{ businessId: 'x', mode: 'test', period: '2026' }]);
  await store.timeline(buy!.id);
  const { businessId, mode, createdAtMs, id } = buy!;
  const pages = [{}, { type: 'buy' }, { state: 'paid' }, { state: 'sending', type: 'buy' }] as const;
  for (const page of pages) {
    await store.listTransactions({ businessId, mode }, { ...page, limit: 25 });
    await store.listTransactions({ businessId, mode }, { ...page, limit: 25, after: { id, createdAtMs } });
  }
}

test('a page of a list, by type or by state, is a range of one index in the order of the list', async () => {
  for (const [page, index] of [
    [{ type: 'buy' }, 'transactions_by_type'],
    [{ type: 'buy', state: 'expired' }, 'transaction_states_listed'],
    [{ type: 'sell', state: 'paying_out' }, 'transaction_states_listed'],
  ] as const) {
    const queries: { text: string; values?: unknown[] }[] = [];
    const noting: Database = {
      ...database,
      query: (query) => {
        queries.push(query);
        return database.query(query);
      },
    };
    const after = { id: 'txn_1', createdAtMs: NOW };
    await makePostgresStore(noting).listTransactions(SCOPE, { ...page, limit: 25, after });
    const { text, values = [] } = queries[0]!;
    const { rows } = await database.query({ text: `explain (format json) ${text}`, values });
    const nodes = [...nodesOf(rows[0]!['QUERY PLAN'][0].Plan)];
    const ranges = nodes.filter(
      (node) => /Index.*Scan/.test(node['Node Type']) && node['Index Name'] === index,
    );
    assert.equal(ranges.length, 1, JSON.stringify(page));
    assert.match(ranges[0]!['Index Cond']!, /ROW\(created_at, \w+\) </, JSON.stringify(page));
    // The plan reads the range backwards up to the limit, so no rows are sorted.
    const cut = nodes.find((node) => node['Node Type'] === 'Limit' && node.Plans?.[0] === ranges[0]);
    assert.ok(cut, JSON.stringify(page));
  }
});

const CLAIM_LIMIT = { most: 200, windowMs: 86_400_000, expiryMs: 3_600_000 };

async function sources(store: ReturnType<typeof makePostgresStore>, on: Database): Promise<void> {
  const known = credit();
  const { parentId: _parent, exception: _exception, transactionId: _transaction, ...said } = credit();
  const report: CreditReport = {
    ...{ ...said, id: `rpt_${said.id}`, source: 'statements', sourceId: said.id, state: 'waiting' },
    ...{ creditId: null, isRepeat: false, dueAtMs: NOW },
  };
  await commitAll(store, [recording(known), { atMs: NOW, newReports: [report] }]);
  await store.leaseReports(request);
  const linked = makeMove({ ...report, version: 2 }, { state: 'linked', creditId: known.id, dueAtMs: null });
  await commitAll(store, [{ atMs: NOW, reports: [linked] }]);
  await store.creditSources('test', ['058:1']);
  await store.creditsLike([report, known]);
  await store.findReport('test', 'statements', report.sourceId);
  const limits = makeClaimLimits(on, CLAIM_LIMIT);
  await limits.countUnmatched(SCOPE.businessId, 'test', NOW);
  await limits.nearLimit('test', NOW);
  await makeStatementFeed(on, 'test').read(null);
  const queue = makeEventQueue(on);
  const rail = { mode: 'test', rail: 'odd' } as const;
  await queue.store({
    ...{ ...rail, id: `rev_${said.id}`, digest: said.id, body: '{}', type: 'x', topic: 'credit', about: 'x' },
    ...{ isPaid: null, receivedAtMs: NOW, state: 'open', dueAtMs: NOW },
  });
  const [event] = await queue.lease(rail, request);
  await queue.move(event!, { state: 'done', outcome: 'credit', looks: 0, dueAtMs: null });
  await queue.hastenPayout(rail, 'mov-1', true, NOW);
  await queue.forget({ overMs: 0, reviewMs: 0 }, 10);
  await queue.figures(rail);
  await queue.countCredits(rail, NOW);
}

test('threat 114: before PostgreSQL has statistics about a table, no statement scans the whole table', async () => {
  assert.deepEqual(await explained(everything), new Map());
  assert.deepEqual(await explained(sources), new Map());
});

test('threat 114: while the statistics show only a few rows, no statement scans the whole table', async () => {
  for (let round = 0; round < 6; round++) {
    await everything(makePostgresStore(database));
    await sources(makePostgresStore(database), database);
  }
  await database.query({ text: 'vacuum analyze' });
  assert.deepEqual(await explained(everything), new Map());
  assert.deepEqual(await explained(sources), new Map());
});
