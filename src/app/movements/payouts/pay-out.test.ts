// Tests the payouts of sells. Banks time out, give no useful response or change their response. Processes crash, and two
// processes both believe that they hold the same payout. The service pays each sell once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { openRig, POLYGON_WALLET } from '../../../../test/support/settlement.ts';
import { bankReference } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { PayoutOrder, PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import { makeLeaseRequest } from '../../engine/leases.ts';
import { followMovements } from '../follow-movements.ts';
import { payOut } from './pay-out.ts';

const rig = await openRig();
const leaseEnds = () => rig.pass(16_000);

async function paidSell(changes: Partial<Transaction> = {}): Promise<Transaction> {
  const sell = await rig.sell({ wallet: POLYGON_WALLET, ...changes });
  await rig.depositFor(sell, sell.amountMinor);
  return sell;
}

async function untilDeposited(sell: Transaction): Promise<void> {
  const doing = { actor: 'test', atMs: rig.now() };
  await rig.backOffice.setMovementsPaused(true, 'test', doing);
  await rig.until(sell.id, 'deposited');
  await rig.backOffice.setMovementsPaused(false, 'test', doing);
  leaseEnds();
}

const movementOf = async (id: string) => (await rig.deps.store.movementsOf([id]))[0]!;

async function paidOnce(sell: Transaction): Promise<void> {
  await rig.until(sell.id, 'completed');
  const paid = await rig.bank.paidOut(sell.id);
  assert.deepEqual(
    paid.map(({ amountMinor }) => amountMinor),
    [sell.amountMinor - sell.feeMinor],
  );
  const movements = await rig.deps.store.movementsOf([sell.id]);
  assert.deepEqual(
    movements.map(({ kind, state }) => [kind, state]),
    [['payout', 'done']],
  );
  assert.equal(paid[0]!.reference, bankReference(movements[0]!.id));
}

test('threat 56: a payout that timed out is unknown, is queried under its reference, and is never made under a new one', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  const orders: PayoutOrder[] = [];
  const asked: string[] = [];
  const slow = rig.another({
    bank: {
      pay: async (order) => {
        orders.push(order);
        await rig.bank.payouts.pay(order);
        return { kind: 'unknown', reason: 'timed out' };
      },
      ask: async (reference) => {
        asked.push(reference);
        return { kind: 'unknown', reason: 'timed out' };
      },
    },
  });
  await slow.run();
  const payout = await movementOf(sell.id);
  assert.deepEqual([payout.state, (await rig.find(sell.id)).state], ['unknown', 'paying_out']);
  assert.equal((await rig.books(sell.id))['NGN bank_reserved'], sell.amountMinor, 'still set aside');
  for (let minute = 0; minute < 60; minute += 6) {
    rig.pass(6 * 60_000);
    await slow.run();
  }
  assert.deepEqual(
    orders.map(({ reference }) => reference),
    [bankReference(payout.id)],
  );
  assert.deepEqual([...new Set(asked)], [bankReference(payout.id)]);
  assert.ok(asked.length > 5);
  rig.pass(6 * 60_000);
  await paidOnce(sell);
});

test('threat 57: if the bank reports not found, unknown, then paid, one payout is made, with the same reference each time', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  const orders: string[] = [];
  const answers: PayoutStatus[] = [
    { kind: 'not_found' },
    { kind: 'unknown', reason: 'in progress' },
    ...Array.from({ length: 6 }, (): PayoutStatus => ({ kind: 'not_found' })),
  ];
  const forgetful = rig.another({
    bank: {
      pay: async (order) => {
        orders.push(order.reference);
        return orders.length === 1 ? { kind: 'unknown', reason: 'timed out' } : rig.bank.payouts.pay(order);
      },
      ask: async (reference) => answers.shift() ?? rig.bank.payouts.ask(reference),
    },
  });
  await forgetful.run();
  assert.equal((await rig.find(sell.id)).state, 'paying_out');
  for (let look = 0; look < 12; look++) {
    rig.pass(60_000);
    await forgetful.run();
  }
  assert.ok(orders.length >= 2, 'offered again after the bank had not heard of it for a long time');
  assert.equal(new Set(orders).size, 1);
  await paidOnce(sell);
});

test('threat 57: a failed payout is final, so the tokens are returned and the payout is not made again', async () => {
  const sell = await paidSell();
  rig.meets('pay', '*', 'fails');
  const failed = await rig.until(sell.id, 'payout_failed', 'refunded');
  assert.equal(failed.exception, 'payout_failed');
  const done = await rig.until(sell.id, 'refunded');
  assert.equal(done.refundedMinor, sell.amountMinor);
  assert.deepEqual(await rig.bank.paidOut(sell.id), []);
  const books = await rig.books(sell.id);
  assert.deepEqual(
    Object.keys(books).filter((key) => key.startsWith('NGN ')),
    [],
  );
  const refunds = (await rig.deps.store.movementsOf([sell.id])).filter(({ kind }) => kind === 'refund');
  assert.deepEqual(
    refunds.map(({ state, nairaMinor }) => [state, nairaMinor]),
    [['done', sell.amountMinor]],
  );
});

test('after a crash between storing a payout and sending it to the bank, it is sent with the same reference', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  await assert.rejects(rig.another({ bank: { pay: async () => assert.fail('died') } }).run());
  const payout = await movementOf(sell.id);
  assert.deepEqual([payout.state, await rig.bank.paidOut(sell.id)], ['sending', []]);
  leaseEnds();
  await paidOnce(sell);
  assert.equal((await movementOf(sell.id)).id, payout.id);
});

test('after a crash when the payout was already sent to the bank, its status is queried, and the bank pays once', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  const dying = rig.another({
    bank: {
      pay: async (order) => {
        await rig.bank.payouts.pay(order);
        return assert.fail('died');
      },
    },
  });
  await assert.rejects(dying.run());
  leaseEnds();
  await paidOnce(sell);
});

test('threat 58: when two processes pay one sell at once, only one payout is made', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  const [held] = (
    await rig.deps.store.leaseTransactions(['deposited'], makeLeaseRequest(rig.deps, 50))
  ).filter(({ id }) => id === sell.id);
  const other = rig.another();
  await other.run();
  await Promise.all([payOut(rig.deps, [held!]), payOut(other.deps, [held!])]);
  leaseEnds();
  await paidOnce(sell);
  assert.equal((await rig.rows('select id from movements where transaction_id = $1', sell.id)).length, 1);
});

test('threat 58: when two processes follow one payout at once, it is booked only once', async () => {
  const sell = await paidSell();
  await rig.until(sell.id, 'paying_out');
  rig.pass(2_000);
  const [held] = await rig.deps.store.leaseMovements(['sending'], makeLeaseRequest(rig.deps, 50));
  assert.equal(held!.transactionId, sell.id);
  await Promise.all([rig, rig.another()].map(({ deps }) => followMovements(deps, [{ movement: held! }])));
  await paidOnce(sell);
  const paid = (await rig.events(sell.id)).filter((event) => event === 'payout_paid');
  assert.equal(paid.length, 1);
});

test('with too little money in the bank account the sell waits, and continues when there is enough naira', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  const poor = rig.another({
    store: (real) => ({
      balances: async (keys) => new Map([...(await real.balances(keys)), ['test/NGN/bank_out', 1n]]),
    }),
  });
  await poor.run();
  assert.equal((await rig.find(sell.id)).state, 'deposited');
  assert.ok(poor.troubles.some(({ message }) => message === 'the bank float is too low'));
  leaseEnds();
  await paidOnce(sell);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
