// Tests the counts of the queues, and of the items that wait for reviewers, on a real database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedBuys, deposit, movement, notice } from '../../../../test/http/settlement-fixtures.ts';
import { acceptance, databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { makeMove } from '../../../domain/records/change.ts';
import { postponeTransaction } from '../../../domain/records/transaction-moves.ts';
import { makePostgresStore } from '../store.ts';
import { makeQueueMetrics } from './queue-metrics.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const metrics = makeQueueMetrics(database);

const NONE = { live: 0, test: 0 };

test('an empty service reports every queue with zero', async () => {
  const depths = await metrics.readQueues(NOW);
  assert.ok(depths.every(({ due, oldestDueMs }) => due === 0 && oldestDueMs === null));
  const names = depths.map(({ queue }) => queue);
  for (const queue of ['transactions:paid', 'bank_credits', 'deposits', 'movements', 'bank_notices'])
    assert.ok(names.includes(queue), queue);
  assert.deepEqual(await metrics.readWaiting(), {
    onHold: [
      { mode: 'live', type: 'buy', count: 0 },
      { mode: 'live', type: 'sell', count: 0 },
      { mode: 'test', type: 'buy', count: 0 },
      { mode: 'test', type: 'sell', count: 0 },
    ],
    reviewCredits: NONE,
    suspenseDeposits: NONE,
    stuckRefunds: NONE,
    reviewNotices: NONE,
    openCases: NONE,
    quarantined: NONE,
    depositsNeedTwo: NONE,
  });
  const stuck = await metrics.readStuck();
  assert.deepEqual(
    stuck.map(({ what, state }) => `${what} ${state}`),
    [
      ...['transactions paid', 'transactions awaiting_trustline', 'transactions deposited'],
      ...['movements pending', 'movements sending', 'movements unknown', 'deposits seen'],
    ],
  );
  assert.ok(stuck.every(({ oldestMs }) => oldestMs === null));
});

test('a queue counts due records and their age, but not records that are due later or wait for a reviewer', async () => {
  const ids = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const offered = acceptance();
      await store.accept(offered);
      return offered.transaction.id;
    }),
  );
  const due = (id: string, state: string, atMs: number | null) =>
    database.query({
      text: `update transaction_states set state = $2::text::transaction_state, due_at = to_timestamp($3::float8 / 1000)
        where transaction_id = $1`,
      values: [id, state, atMs],
    });
  await due(ids[0]!, 'paid', NOW - 5_000);
  await due(ids[1]!, 'paid', NOW - 9_000);
  await due(ids[2]!, 'paid', NOW + 1_000);
  await due(ids[3]!, 'on_hold', null);
  await database.query({
    text: `insert into cases (id, kind, mode, amount_minor, opened_at, closed_at)
      values ('cas_1', 'payout_returned', 'test', 5, now(), null), ('cas_2', 'payout_returned', 'test', 5, now(), now())`,
  });
  const credit = `bank_credits (id, mode, source, source_id, account_number, amount_minor, value_at, received_at, raw, state, version, due_at)`;
  await database.query({
    text: `insert into ${credit} values ('crd_1', 'live', 's', '1', '0', 5, now(), now(), '{}', 'review', 1, null),
      ('crd_2', 'live', 's', '2', '0', 5, now(), now(), '{}', 'unmatched', 1, to_timestamp($1::float8 / 1000))`,
    values: [NOW - 1_000],
  });
  const depths = new Map((await metrics.readQueues(NOW)).map(({ queue, ...rest }) => [queue, rest]));
  assert.deepEqual(depths.get('transactions:paid'), { due: 2, oldestDueMs: NOW - 9_000 });
  assert.deepEqual(depths.get('transactions:on_hold'), { due: 0, oldestDueMs: null });
  assert.deepEqual(depths.get('bank_credits'), { due: 1, oldestDueMs: NOW - 1_000 });
  const waiting = await metrics.readWaiting();
  assert.deepEqual(
    waiting.onHold.filter(({ count }) => count > 0),
    [{ mode: 'test', type: 'buy', count: 1 }],
  );
  assert.deepEqual(waiting.reviewCredits, { live: 1, test: 0 });
  assert.deepEqual(waiting.openCases, { live: 0, test: 1 });
});

test('the age of a record that is retried repeatedly counts from its start, not from its last try', async () => {
  const DAY_MS = 86_400_000;
  const sinceMs = NOW - 3 * DAY_MS;
  const [bought] = await acceptedBuys(database, 1);
  await database.query({
    text: `update transaction_states set state = 'paid', updated_at = to_timestamp($2::float8 / 1000),
      due_at = to_timestamp($3::float8 / 1000) where transaction_id = $1`,
    values: [bought!.id, sinceMs, NOW - 1_000],
  });
  const sent = movement({ state: 'unknown', createdAtMs: sinceMs - 1, dueAtMs: NOW - 1_000 });
  const waits = movement({ kind: 'refund', destination: null, createdAtMs: sinceMs - DAY_MS });
  const seen = deposit({ state: 'seen', seenAtMs: sinceMs - 2, dueAtMs: NOW - 1_000 });
  const added = { atMs: NOW, newMovements: [sent, waits], newDeposits: [seen] };
  assert.deepEqual(await store.commit([added]), [{ kind: 'committed' }]);
  // The test leases the record, postpones it because it was not ready, and leases it again.
  const claim = { atMs: NOW, leaseMs: 60_000, limit: 100 };
  const [taken] = (await store.leaseTransactions(['paid'], claim)).filter(({ id }) => id === bought!.id);
  await commitAll(store, [{ atMs: NOW, transactions: [postponeTransaction(taken!, NOW + 300_000)] }]);
  await store.leaseMovements(['unknown'], claim);
  await store.leaseDeposits(claim);
  const depths = await metrics.readQueues(NOW);
  assert.ok(depths.every(({ oldestDueMs }) => oldestDueMs === null || oldestDueMs > NOW - DAY_MS));
  const stuck = (await metrics.readStuck()).filter(({ oldestMs }) => oldestMs !== null);
  assert.deepEqual(stuck, [
    { what: 'transactions', state: 'paid', oldestMs: sinceMs },
    { what: 'movements', state: 'unknown', oldestMs: sinceMs - 1 },
    { what: 'deposits', state: 'seen', oldestMs: sinceMs - 2 },
  ]);
});

test('all records that wait for a reviewer are counted, but not replaced or cancelled refunds', async () => {
  const refund = { kind: 'refund', state: 'failed', dueAtMs: null } as const;
  const before = await metrics.readWaiting();
  const reported = notice();
  const change = {
    atMs: NOW,
    newDeposits: [deposit({ state: 'suspense', dueAtMs: null }), deposit({ state: 'gone', dueAtMs: null })],
    newMovements: [
      movement({ ...refund, reason: 'the bank refused it' }),
      movement({ ...refund, state: 'pending', destination: null }),
      movement({ ...refund, reason: 'replaced by mov_1' }),
      movement({ ...refund, reason: 'credit_reversed' }),
    ],
    newNotices: [reported, notice({ dueAtMs: null })],
    quarantine: { mode: 'live', source: 'bank', reason: 'no amount', raw: '{}' },
  } as const;
  assert.deepEqual(await store.commit([change]), [{ kind: 'committed' }]);
  const left = { atMs: NOW, notices: [makeMove(reported, { state: 'review', dueAtMs: null })] };
  assert.deepEqual(await store.commit([left]), [{ kind: 'committed' }]);
  const after = await metrics.readWaiting();
  const rise = (kind: Exclude<keyof typeof after, 'onHold'>) =>
    (['live', 'test'] as const).map((mode) => after[kind][mode] - before[kind][mode]);
  assert.deepEqual(rise('suspenseDeposits'), [0, 1]);
  assert.deepEqual(rise('stuckRefunds'), [0, 2]);
  assert.deepEqual(rise('reviewNotices'), [0, 1]);
  assert.deepEqual(rise('quarantined'), [1, 0]);
});

test('every metric is read from an index', async () => {
  const plans: string[] = [];
  const explained = makeQueueMetrics({
    ...database,
    query: async ({ text, values }) => {
      const plan = await database.query({ text: `explain ${text}`, values: values ?? [] });
      plans.push(JSON.stringify(plan.rows));
      return { ...plan, rows: [] };
    },
  });
  await explained.readQueues(NOW);
  await explained.readWaiting();
  await explained.readStuck();
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan/);
  for (const index of [
    'transaction_states_due',
    'bank_credits_due',
    'deposits_due',
    'movements_due',
    'bank_notices_due',
  ])
    assert.ok(plans[0]!.includes(index), index);
  for (const index of [
    ...[
      'transaction_states_on_hold',
      'bank_credits_in_review',
      'deposits_in_suspense',
      'movements_stuck_refunds',
    ],
    ...['bank_notices_in_review', 'cases_open', 'quarantine_by_mode'],
  ])
    assert.ok(plans[1]!.includes(index), index);
  for (const index of ['transaction_states_due', 'movements_due', 'deposits_due'])
    assert.ok(plans[2]!.includes(index), index);
});
