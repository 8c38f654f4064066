// Tests slow banks next to fast banks. The service commits each response when it arrives and sends no order twice. A rail event
// that arrives before the response only causes a status query. Each test counts the orders that the rail got.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/support/patience.ts';
import { openRailRig } from '../../../../test/support/rails/rail-rig.ts';
import {
  PAID_ONCE,
  SCRIPTED_TERMS,
  type ScriptedRail,
  scriptedRail,
} from '../../../../test/support/rails/scripted-rail.ts';
import { makeEventQueue } from '../../../adapters/postgres/rails/event-queue.ts';
import { makeRailStore } from '../../../adapters/postgres/rails/rail-store.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { callLeaseMs } from '../../../domain/rails/terms.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { NameEnquiryAnswer, PayoutOrder, PayoutStatus } from '../../../ports/rails/rail-payouts.ts';

const rig = await openRailRig();
const queue = makeEventQueue(rig.database);
const PAID: PayoutStatus = { kind: 'paid', sessionId: null, chargeMinor: 0n };
const states = async (sells: readonly Transaction[]) =>
  Promise.all(sells.map(async ({ id }) => (await rig.find(id)).state));

/**
 * Returns a rail that pays every order, even a repeated order. Its response about one sell is delayed, and its status queries
 * do not find its payments.
 */
function holding(name: string, sell: Transaction) {
  const held = Promise.withResolvers<PayoutStatus>();
  const orders: PayoutOrder[] = [];
  const scripted = scriptedRail(name, [], {
    pay: async (order) => {
      orders.push(order);
      const isFirst = orders.filter(({ reference }) => reference === order.reference).length === 1;
      return order.about === sell.id && isFirst ? held.promise : PAID;
    },
    ask: async (reference) => {
      scripted.asked.push(reference);
      return { kind: 'not_found' };
    },
  });
  return { held, orders, scripted };
}

test('threats 56, 96: if one of eight responses is delayed, the others are committed when they arrive, and nothing is ordered twice', async () => {
  const sells: Transaction[] = [];
  for (let no = 0; no < 8; no++) sells.push(await rig.depositedSell());
  const [slow, ...quick] = sells as [Transaction, ...Transaction[]];
  const { held, orders, scripted } = holding('held', slow);
  await rig.fund([scripted]);
  const running = rig.process([scripted]).run();
  await until(
    'the quick ones are done',
    async () =>
      new Set(await states(quick)).size === 1 && (await rig.find(quick[0]!.id)).state === 'completed',
    { everyMs: 20 },
  );
  assert.equal((await rig.payoutOf(slow)).story[0], 'held prepared');

  // This is longer than the lease of other records, but another process still finds no work.
  const other = rig.process([scripted]);
  rig.pass(16_000);
  await other.run();
  assert.deepEqual([orders.length, scripted.asked.length], [8, 0]);
  // This is longer than the lease of the payout, so the other process only queries the status.
  rig.pass(callLeaseMs(SCRIPTED_TERMS));
  await other.run();
  rig.pass(60_000);
  await other.run();
  assert.equal(orders.length, 8);
  assert.ok(scripted.asked.length > 0);

  held.resolve(PAID);
  await running;
  assert.deepEqual(new Set(await states(sells)), new Set(['completed']), 'the late answer counts');
  assert.equal(new Set(orders.map(({ reference }) => reference)).size, 8);
});

test('threats 56, 96: an event that arrives before the response to the order only causes a status query', async () => {
  const sell = await rig.depositedSell();
  const { held, orders, scripted } = holding('announcing', sell);
  await rig.fund([scripted]);
  const running = rig.process([scripted]).run();
  await until('the order is out', () => orders.length === 1, { everyMs: 5 });
  const { reference } = orders[0]!;
  assert.ok(await queue.hastenPayout({ mode: 'test', rail: 'announcing' }, reference, true, rig.now()));
  await rig.process([scripted]).run();
  assert.deepEqual([orders.length, scripted.asked], [1, [reference]]);
  held.resolve(PAID);
  await running;
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.equal(orders.length, 1);
});

test('threat 96: an order is not sent if its response could arrive after the lease ends, and it counts as not sent', async () => {
  const sell = await rig.depositedSell();
  const [a, b] = [scriptedRail('late-a'), scriptedRail('late-b')];
  await rig.fund([a, b]);
  let isFirst = true;
  const late = rig.process([a, b], {
    store: (real) => ({
      commit: async (changes, feed) => {
        const outcomes = await real.commit(changes, feed);
        if (isFirst && changes.some(({ attempts }) => attempts !== undefined)) {
          isFirst = false;
          rig.pass(callLeaseMs(SCRIPTED_TERMS) - SCRIPTED_TERMS.timeoutMs + 1);
        }
        return outcomes;
      },
    }),
  });
  await late.run();
  assert.deepEqual([a.given.length, b.given.length], [0, 1]);
  assert.deepEqual((await rig.payoutOf(sell)).story, ['late-a dead', 'late-b landed']);
});

test('an order that its process considers not sent stays with its rail if the rail reports that it has the order', async () => {
  const sell = await rig.depositedSell();
  const answer = Promise.withResolvers<PayoutStatus>();
  const given: string[] = [];
  const a = scriptedRail('claimed-a', [], {
    pay: async ({ reference }) => {
      given.push(reference);
      return answer.promise;
    },
    ask: async () => ({ kind: 'pending' }),
  });
  const b = scriptedRail('claimed-b');
  await rig.fund([a, b]);
  const running = rig.process([a, b]).run();
  await until('the order is out', () => given.length === 1, { everyMs: 5 });
  assert.ok(await queue.hastenPayout({ mode: 'test', rail: 'claimed-a' }, given[0]!, true, rig.now()));
  await rig.process([a, b]).run();
  answer.resolve({ kind: 'not_sent', reason: 'no connection' });
  await running;
  assert.deepEqual((await rig.payoutOf(sell)).story, ['claimed-a accepted']);
  assert.deepEqual([given.length, b.given.length], [1, 0]);
});

test('an order that its process considers not sent stays with its rail if another process has ordered it again', async () => {
  const sell = await rig.depositedSell();
  const answer = Promise.withResolvers<PayoutStatus>();
  const given: string[] = [];
  const pay = async ({ reference }: PayoutOrder): Promise<PayoutStatus> => {
    given.push(reference);
    return given.length === 1 ? answer.promise : { kind: 'unknown', reason: 'the answer was lost' };
  };
  const ask = async (): Promise<PayoutStatus> => ({ kind: 'not_found' });
  const a = scriptedRail('repeated-a', [], { pay, ask }, PAID_ONCE);
  const b = scriptedRail('repeated-b');
  await rig.fund([a, b]);
  const running = rig.process([a, b]).run();
  await until('the order is out', () => given.length === 1, { everyMs: 5 });
  const other = rig.process([a, b]);
  for (let asked = 0; given.length === 1 && asked < 20; asked++) {
    rig.pass(callLeaseMs(PAID_ONCE) + PAID_ONCE.repeatAfterMs);
    await other.run();
  }
  assert.equal(given.length, 2, 'ordered again by the other process');
  answer.resolve({ kind: 'not_sent', reason: 'no connection' });
  await running;
  assert.deepEqual((await rig.payoutOf(sell)).story, ['repeated-a unknown']);
  assert.equal(b.given.length, 0);
});

test('a refusal is not lost if another process commits first', async () => {
  const sell = await rig.depositedSell();
  const refusal: PayoutStatus = { kind: 'failed', fault: 'rail', reason: 'no money' };
  const { held, orders, scripted } = holding('overtaken', sell);
  const b = scriptedRail('overtaker');
  await rig.fund([scripted, b]);
  const running = rig.process([scripted, b]).run();
  await until('the order is out', () => orders.length === 1, { everyMs: 5 });
  rig.pass(callLeaseMs(SCRIPTED_TERMS) + 1);
  const other = rig.process([scripted, b]);
  await other.run();
  held.resolve(refusal);
  await running;
  assert.equal((await rig.find(sell.id)).stateReason, 'payout_refused');
  await rig.makeSure(other);
  assert.deepEqual((await rig.payoutOf(sell)).story, ['overtaken failed', 'overtaker landed']);
});

test('a rail that cannot return the owner of an account does not get the payout; the next rail is queried, and pays', async () => {
  const sell = await rig.depositedSell();
  const silent: NameEnquiryAnswer = { kind: 'unknown', reason: 'away' };
  const asked: string[] = [];
  const rails: readonly ScriptedRail[] = [
    scriptedRail('mute', [], { enquireName: async () => silent }),
    scriptedRail('talking', [], {
      enquireName: async ({ expectedName }) => {
        asked.push(expectedName!);
        return { kind: 'found', name: expectedName! };
      },
    }),
  ];
  await rig.fund(rails);
  const process = rig.process(rails);
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['talking landed']);
  assert.equal(asked.length, 1);
  assert.ok(
    process.troubles.some(({ detail }) => detail.rail === 'mute'),
    'the log names the rail',
  );
});

test('a payout that is pending for a long time counts as unknown, in the health of the rail and in the review list', async () => {
  const sell = await rig.depositedSell();
  const pending = scriptedRail('pending', [{ kind: 'pending' }], { ask: async () => ({ kind: 'pending' }) });
  await rig.fund([pending]);
  const process = rig.process([pending]);
  await process.run();
  const fromMs = rig.now() - 1_000;
  const counts = async () => {
    const { unknown, underWay } = await makeRailStore(rig.database).figures(
      { mode: 'test', rail: 'pending' },
      fromMs,
      rig.now(),
    );
    return { unknown, underWay };
  };
  const waits = async () =>
    (await makeReviewStore(rig.database).unknownPayouts(rig.now(), 50, 'test')).some(
      ({ transactionId }) => transactionId === sell.id,
    );
  assert.deepEqual([await counts(), await waits()], [{ unknown: 0, underWay: 1 }, false]);
  rig.pass(5 * 60_000 + 1);
  await process.run();
  assert.deepEqual([await counts(), await waits()], [{ unknown: 1, underWay: 0 }, false]);
  rig.pass(86_400_000);
  assert.equal(await waits(), true);
});

test('accounts that cannot be paid do not count against the rail, no matter how many there are', async () => {
  const refusal: PayoutStatus = { kind: 'failed', fault: 'payout', reason: 'dormant account' };
  const sells = [await rig.depositedSell(), await rig.depositedSell()];
  const strict = scriptedRail('strict', [refusal, refusal]);
  await rig.fund([strict]);
  const fromMs = rig.now();
  const process = rig.process([strict]);
  const counts = async () => {
    const of = { mode: 'test', rail: 'strict' } as const;
    const { refused, failed, unknown } = await makeRailStore(rig.database).figures(of, fromMs, rig.now());
    return { refused, failed, unknown };
  };
  await process.run();
  assert.deepEqual(await counts(), { refused: 2, failed: 0, unknown: 0 }, 'also while it is made sure');
  await rig.makeSure(process);
  assert.deepEqual(await counts(), { refused: 2, failed: 0, unknown: 0 });
  assert.equal(strict.given.length, 2, 'it ends, and is not tried again');
  for (const { id } of sells) assert.notEqual((await rig.find(id)).state, 'paying_out');
});
