// Compares the figures of a populated database with figures that the test computes from the same transactions one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptance,
  BUSINESS,
  databaseWithKeys,
  NOW,
  SCOPE,
  sell,
} from '../../../../test/http/store-fixtures.ts';
import type { TransactionState } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { lagosDay } from '../../../domain/values/calendar.ts';
import { makeId } from '../../../domain/values/ids.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { makeActivityFigures } from './figures.ts';

const { database } = await databaseWithKeys();
const figures = makeActivityFigures(database);
const DAY_MS = 86_400_000;
const ENDS: readonly TransactionState[] = [
  ...(['completed', 'completed', 'completed', 'on_hold', 'expired', 'cancelled'] as const),
  ...(['refunded', 'awaiting_wallet', 'sending', 'rejected', 'awaiting_trustline'] as const),
];
const SELL_ENDS: readonly TransactionState[] = [
  'completed',
  'payout_failed',
  'awaiting_deposit',
  'on_hold',
  'paying_out',
];

interface Made extends Transaction {
  readonly end: TransactionState;
  readonly tookMs: number;
}

/** One transaction every third hour of the last 40 days. Some are close to midnight in Lagos, which is 23:00 in UTC. */
function makeAll(): Made[] {
  return Array.from({ length: 320 }, (_, index) => {
    const createdAtMs = NOW - index * 3 * 3_600_000 - (index % 7) * 60_000;
    const id = makeId('txn', createdAtMs, crypto.getRandomValues(new Uint8Array(10)));
    const base = index % 3 === 0 ? sell() : acceptance().transaction;
    const ends = base.type === 'sell' ? SELL_ENDS : ENDS;
    return {
      ...{
        ...base,
        id,
        reference: `ref-${index}`,
        amountMinor: BigInt(1_500_000 + index * 101),
        createdAtMs,
      },
      deposits: base.deposits.map((deposit) => ({ ...deposit, address: `${deposit.network} ${id}` })),
      end: ends[index % ends.length]!,
      tookMs: 1_000 + ((index * 7_919) % 90_000),
    };
  });
}

async function store(all: readonly Made[]): Promise<void> {
  await acceptBatch(
    database,
    all.map(({ end: _, tookMs: __, ...transaction }) => ({ ...acceptance(), transaction })),
  );
  for (const { id, type, createdAtMs, end, tookMs } of all) {
    await database.query({
      text: 'update transaction_states set state = $2, version = 3 where transaction_id = $1',
      values: [id, end],
    });
    const [came, from] = type === 'buy' ? ['paid', 'awaiting_payment'] : ['deposited', 'awaiting_deposit'];
    const lines = [
      [2, createdAtMs + 600_000, from, came],
      [3, createdAtMs + 600_000 + tookMs, came, end],
    ] as const;
    for (const [version, atMs, before, to] of lines)
      await database.query({
        text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
          values ($1, $2, $3, $4, $5, 'settlement', 'test', $6, 'test')`,
        values: [id, version, new Date(atMs), before, to, BUSINESS],
      });
  }
}

const all = makeAll();
await store(all);
const since = NOW - 30 * DAY_MS;
const recent = all.filter(({ createdAtMs }) => createdAtMs >= since);
const daysOf = (made: readonly Made[]) =>
  [...Map.groupBy(made, ({ createdAtMs }) => lagosDay(createdAtMs))].toSorted(([a], [b]) => (a < b ? -1 : 1));

test('volume and outcomes per day (Lagos time) equal those counted from the transactions', async () => {
  const count = (made: readonly Made[], ...states: TransactionState[]) =>
    made.filter(({ end }) => states.includes(end)).length;
  const volume = (made: readonly Made[], type: string) =>
    made
      .filter((each) => each.type === type && each.end === 'completed')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const expected = daysOf(recent).map(([day, made]) => ({
    day,
    buys: made.filter(({ type }) => type === 'buy').length,
    sells: made.filter(({ type }) => type === 'sell').length,
    boughtMinor: volume(made, 'buy'),
    soldMinor: volume(made, 'sell'),
    completed: count(made, 'completed'),
    onHold: count(made, 'on_hold'),
    failed: count(made, 'rejected', 'payout_failed'),
    refunded: count(made, 'refunded'),
    lapsed: count(made, 'expired', 'cancelled'),
    open: count(made, 'awaiting_wallet', 'sending', 'awaiting_trustline', 'awaiting_deposit', 'paying_out'),
  }));
  assert.ok(expected.length >= 30);
  assert.deepEqual(await figures.byDay(SCOPE, since), { days: expected, whole: true });
});

test('the time to complete is measured from the arrival of the money to the end, and its percentiles are exact', async () => {
  const completed = recent.filter(({ end }) => end === 'completed');
  const expected = daysOf(completed).map(([day, made]) => {
    const times = made.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1];
    return { day, completed: made.length, p50Ms: at(0.5), p95Ms: at(0.95) };
  });
  assert.deepEqual(await figures.durations(SCOPE, since), { days: expected, whole: true });
});

test('waiting transactions are counted, and another business or mode sees none of them', async () => {
  const count = (state: TransactionState) => all.filter(({ end }) => end === state).length;
  assert.deepEqual(await figures.waiting(SCOPE, since), {
    awaitingWallet: count('awaiting_wallet'),
    awaitingTrustline: count('awaiting_trustline'),
    onHold: count('on_hold'),
    payoutFailed: count('payout_failed'),
    endpointsDisabled: 0,
    deliveriesFailed: 0,
  });
  for (const scope of [
    { ...SCOPE, businessId: 'biz_other' },
    { ...SCOPE, mode: 'live' as const },
  ]) {
    assert.deepEqual(await figures.byDay(scope, since), { days: [], whole: true });
    assert.deepEqual(await figures.durations(scope, since), { days: [], whole: true });
    assert.equal((await figures.waiting(scope, since)).onHold, 0);
  }
});
