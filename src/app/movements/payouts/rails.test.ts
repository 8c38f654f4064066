// Tests several bank rails in parallel. The service chooses the rail of a payout once, and then sends all queries and repeats
// about this payout only to that rail. A rail that is no longer configured keeps its open payouts, and people can see them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig, POLYGON_WALLET } from '../../../../test/support/settlement.ts';
import { SIMULATED_TERMS } from '../../../domain/rails/terms.ts';
import { bankReference } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { PayingRail, Rail } from '../../../ports/rails/rail.ts';
import type { NoticeLine } from '../../../ports/rails/rail-statement.ts';
import { readBankFeed } from '../../settlement/record-lines.ts';

const rig = await openRig();

function otherRail(): { readonly rail: PayingRail; readonly seen: string[] } {
  const seen: string[] = [];
  const paid = { kind: 'paid', sessionId: null, chargeMinor: 10_75n } as const;
  const rail: PayingRail = {
    name: 'other',
    account: null,
    pace: { readEveryMs: 0, askAfterMs: 300 },
    terms: SIMULATED_TERMS,
    payouts: {
      reaches: () => true,
      enquireName: async ({ expectedName }) => ({ kind: 'found', name: expectedName ?? 'SOME HOLDER' }),
      pay: async ({ reference }) => {
        seen.push(reference);
        return paid;
      },
      ask: async (reference) => {
        seen.push(reference);
        return paid;
      },
      balance: async () => ({ kind: 'unknown', reason: 'not asked' }),
    },
    statement: null,
  };
  return { rail, seen };
}

async function depositedSell(): Promise<Transaction> {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  const doing = { actor: 'test', atMs: rig.now() };
  await rig.backOffice.setMovementsPaused(true, 'test', doing);
  await rig.until(sell.id, 'deposited');
  await rig.backOffice.setMovementsPaused(false, 'test', doing);
  rig.pass(16_000);
  return sell;
}

async function payoutOf(sell: Transaction) {
  const { store } = rig.deps;
  const movement = (await store.movementsOf([sell.id])).find(({ kind }) => kind === 'payout')!;
  return { movement, attempt: (await store.lastAttempts([movement.id])).get(movement.id)! };
}

async function paidOnceBySimulated(sell: Transaction): Promise<void> {
  await rig.until(sell.id, 'completed');
  assert.equal((await rig.bank.paidOut(sell.id)).length, 1);
  const { movement, attempt } = await payoutOf(sell);
  assert.deepEqual(
    [movement.attempts, attempt.rail, attempt.network, attempt.state],
    [1, 'simulated', null, 'landed'],
  );
}

test('threat 56: a payout with an unknown outcome never moves to another rail, even while its own rail is not configured', async () => {
  const sell = await depositedSell();
  const other = otherRail();
  const losing = rig.another({
    bank: {
      pay: async (order) => {
        await rig.bank.payouts.pay(order);
        return { kind: 'unknown', reason: 'timed out' };
      },
    },
    rails: (real) => [real, other.rail],
  });
  await losing.run();
  const before = await payoutOf(sell);
  assert.deepEqual([before.movement.state, before.attempt.rail], ['unknown', 'simulated']);

  const without = rig.another({ rails: () => [other.rail] });
  for (let look = 0; look < 5; look++) {
    rig.pass(6 * 60_000);
    await without.run();
  }
  const waiting = await payoutOf(sell);
  assert.deepEqual(other.seen, []);
  assert.deepEqual(
    [waiting.movement.state, waiting.movement.reason, waiting.attempt.state, waiting.attempt.rail],
    [
      'unknown',
      'rail simulated is not configured: configure it again so that it can report the outcome',
      'unknown',
      'simulated',
    ],
  );
  assert.ok(
    without.troubles.some(
      ({ message, detail }) => /rail that is not configured/.test(message) && detail.rail === 'simulated',
    ),
  );
  assert.equal((await rig.find(sell.id)).state, 'paying_out');

  const next = await depositedSell();
  await without.run();
  const { movement, attempt } = await payoutOf(next);
  assert.deepEqual([movement.state, attempt.rail], ['done', 'other']);
  assert.deepEqual(other.seen, [bankReference(movement.id)]);

  rig.pass(6 * 60_000);
  await paidOnceBySimulated(sell);
});

test('a stored payout that was not sent to its rail does not move to another rail either', async () => {
  const sell = await depositedSell();
  await assert.rejects(rig.another({ bank: { pay: async () => assert.fail('died') } }).run());
  assert.equal((await payoutOf(sell)).attempt.state, 'prepared');
  const other = otherRail();
  // This is longer than the lease of a payout on the simulated bank.
  rig.pass(60_000);
  await rig.another({ rails: () => [other.rail] }).run();
  const { movement, attempt } = await payoutOf(sell);
  assert.deepEqual(
    [movement.state, attempt.state, attempt.rail, other.seen],
    ['unknown', 'unknown', 'simulated', []],
  );
  rig.pass(6 * 60_000);
  await paidOnceBySimulated(sell);
});

test('a payout in progress stays on its rail when another rail becomes preferred', async () => {
  const sell = await depositedSell();
  const other = otherRail();
  await rig.another({ rails: (real) => [real, other.rail] }).run();
  assert.deepEqual((await payoutOf(sell)).attempt.state, 'accepted');
  rig.pass(60_000);
  await rig.another({ rails: (real) => [other.rail, real] }).run();
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.deepEqual(other.seen, []);
  await paidOnceBySimulated(sell);
});

test('a rail that only reports credits is never chosen to pay', async () => {
  const sell = await depositedSell();
  const reporting: Rail = { ...otherRail().rail, payouts: null };
  await rig.another({ rails: (real) => [reporting, real] }).run();
  assert.equal((await payoutOf(sell)).attempt.rail, 'simulated');
  await paidOnceBySimulated(sell);
});

test('a returned payout is matched by rail and reference, and nothing is booked if another rail reports that reference', async () => {
  const sell = await depositedSell();
  await paidOnceBySimulated(sell);
  const { movement } = await payoutOf(sell);
  const notice: NoticeLine = {
    kind: 'payout_returned',
    sourceId: `return of ${movement.id}`,
    about: bankReference(movement.id),
    amountMinor: movement.nairaMinor,
    raw: {},
  };
  const read = async () => ({ lines: [notice], position: '0' });
  const states = () =>
    rig.rows<{ source: string; state: string }>(
      'select source, state from bank_notices where source_id = $1 order by source',
      notice.sourceId,
    );
  const cases = async () =>
    (await rig.rows('select id from cases where movement_id = $1', movement.id)).length;
  await readBankFeed(rig.deps, 'test', { ...otherRail().rail, statement: { read } });
  for (let look = 0; look < 30; look++) {
    rig.pass(6 * 60_000);
    await rig.run();
  }
  assert.deepEqual(await states(), [{ source: 'other', state: 'review' }]);
  assert.equal(await cases(), 0);
  await readBankFeed(rig.deps, 'test', { ...rig.rail, statement: { read } });
  await rig.passing(1_000);
  assert.deepEqual(await states(), [
    { source: 'other', state: 'review' },
    { source: 'simulated', state: 'done' },
  ]);
  assert.equal(await cases(), 1);
});

test('the same line id on two rails creates two credits, and each rail has its own position', async () => {
  const id = await rig.payIn({ id: 'line-1', amountMinor: 1_900_100n });
  const { lines } = await rig.bank.statement.read(null);
  const line = lines.find(({ sourceId }) => sourceId === id)!;
  // Each account has only one credit source, so this line is about another account.
  const elsewhere = { ...line, accountNumber: '9900000099' } as typeof line;
  const positions: (string | null)[] = [];
  const other: Rail = {
    ...otherRail().rail,
    name: 'third',
    statement: {
      read: async (position) => {
        positions.push(position);
        return position === null ? { lines: [elsewhere], position: 'page-2' } : { lines: [], position };
      },
    },
  };
  const both = rig.another({ rails: (real) => [real, other] });
  rig.pass(20_000);
  await both.run();
  const credits = await rig.rows<{ source: string }>(
    'select source from bank_credits where source_id = $1 order by source',
    id,
  );
  assert.deepEqual(
    credits.map(({ source }) => source),
    ['simulated', 'third'],
  );
  assert.deepEqual(positions.slice(0, 2), [null, 'page-2']);
});
