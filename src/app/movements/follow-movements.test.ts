// Movements under way: reorganised networks, banks that time out, say nothing useful or change their mind, and two
// processes that both believe a payout to be theirs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { DEATH } from '../../../test/support/networks/deaths.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { bankReference } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { PayoutOrder, PayoutStatus } from '../../ports/bank/payouts.ts';
import type { SendStatus } from '../../ports/network/pays.ts';
import { leaseOf } from '../settlement/context.ts';
import { followMovements } from './follow-movements.ts';
import { payOut } from './pay-out.ts';

const rig = await openRig();
const leaseEnds = () => rig.pass(16_000);

let people = 0;
async function paidBuy() {
  people++;
  const payer = {
    accountNumber: `${6_000_000_000 + people * 7_919}`,
    amountMinor: 2_100_000n + BigInt(people),
  };
  const buy = await rig.buy(payer);
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  return { ...payer, id: buy.id };
}

async function paidSell(changes: Partial<Transaction> = {}): Promise<Transaction> {
  const sell = await rig.sell({ wallet: POLYGON_WALLET, ...changes });
  await rig.depositFor(sell, sell.amountMinor);
  return sell;
}

/** The tokens are there, and no payout is made yet. */
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

test('threat 45: reorganised: the buy goes back to sending and the ledger with it, then it completes', async () => {
  const { id, amountMinor } = await paidBuy();
  const tokens = amountMinor * 10_000n;
  const answers: SendStatus[] = [{ kind: 'included', confirmations: 1 }, { kind: 'pending' }];
  const chain = rig.another({
    network: (real) => ({ ask: async (prepared) => answers.shift() ?? real.ask(prepared) }),
  });
  leaseEnds();
  await chain.run();
  const sent = { 'NGN in_flight': -amountMinor, 'NGNC@Polygon sent': tokens };
  const part = async () => {
    const {
      'NGN in_flight': a,
      'NGNC@Polygon sent': b,
      'NGN owed': c,
      'NGNC@Polygon reserved': d,
    } = await rig.books(id);
    return Object.fromEntries(
      Object.entries({
        'NGN in_flight': a,
        'NGNC@Polygon sent': b,
        'NGN owed': c,
        'NGNC@Polygon reserved': d,
      }).filter(([, v]) => v),
    );
  };
  assert.equal((await rig.find(id)).state, 'confirming');
  assert.deepEqual(await part(), sent);
  rig.pass(300);
  await chain.run();
  assert.deepEqual([(await rig.find(id)).state, await part()], ['confirming', sent], 'in a block, not final');
  rig.pass(1_000);
  await chain.run();
  assert.equal((await rig.find(id)).state, 'sending');
  assert.deepEqual(await part(), { 'NGN owed': -amountMinor, 'NGNC@Polygon reserved': tokens });
  assert.deepEqual((await movementOf(id)).reason, 'reorganised');
  leaseEnds();
  await rig.until(id, 'completed');
  assert.deepEqual(await part(), {});
  assert.equal(await rig.network('Polygon').paidTimes((await movementOf(id)).id), 1);
});

test('threat 42: what is known of a dead attempt says nothing about the live one: one payment', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  rig.meets('broadcast', '*', 'dropped');
  await rig.depositFor(sell, sell.amountMinor + 10_000n);
  const { store } = rig.deps;
  const refundWith = async (attempts: number) => {
    for (let turn = 0; turn < 400; turn++) {
      const refund = (await store.movementsOf([sell.id])).find(({ kind }) => kind === 'refund');
      if (refund?.attempts === attempts && refund.state === 'sending') return refund;
      await rig.passing(50, 50);
    }
    return assert.fail(`no attempt ${attempts}`);
  };
  const before = await refundWith(1);
  const attempt = (await store.lastAttempts([before.id])).get(before.id)!;
  const known = { movement: before, attempt, transaction: await rig.find(sell.id) };
  await refundWith(2);
  // What was known before the second attempt comes late.
  await followMovements(rig.deps, [known]);
  leaseEnds();
  await rig.passing(20_000);
  const done = (await store.movementById(before.id))!;
  assert.deepEqual([done.state, await rig.network('Polygon').paidTimes(done.id)], ['done', 1]);
});

test('a process that stood still while another ended a send steps back, and says nothing of it', async () => {
  const { id } = await paidBuy();
  await rig.until(id, 'confirming');
  leaseEnds();
  // What it took off the queue, before the other did.
  const asleep = rig.another({ network: () => ({ ask: async () => ({ kind: 'dead', death: DEATH }) }) });
  const held = await rig.deps.store.leaseMovements(['sending'], leaseOf(asleep.deps, 50));
  leaseEnds();
  const done = await rig.until(id, 'completed');
  await followMovements(
    asleep.deps,
    held.map((movement) => ({ movement })),
  );
  assert.deepEqual(await rig.find(id), done);
  assert.equal(await rig.network('Polygon').paidTimes((await movementOf(id)).id), 1);
});

test('threat 56: a payout that timed out is unknown, asked about under its reference, and never made under a new one', async () => {
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

test('threat 57: not found, unknown, then paid: one payout, and the same reference when it is offered again', async () => {
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
        // The first one never arrives.
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
  assert.ok(orders.length >= 2, 'offered again after the bank had not heard of it for long');
  assert.equal(new Set(orders).size, 1);
  await paidOnce(sell);
});

test('threat 57: failed is said once and for all: the tokens go back, and the payout is not made again', async () => {
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

test('a crash between storing a payout and sending it to the bank: the same reference is sent', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  await assert.rejects(rig.another({ bank: { pay: async () => assert.fail('died') } }).run());
  const payout = await movementOf(sell.id);
  assert.deepEqual([payout.state, await rig.bank.paidOut(sell.id)], ['sending', []]);
  leaseEnds();
  await paidOnce(sell);
  assert.equal((await movementOf(sell.id)).id, payout.id);
});

test('a crash after the payout was sent to the bank: the bank is asked about it, and pays once', async () => {
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

test('threat 58: two processes pay one sell at once: one payout', async () => {
  const sell = await paidSell();
  await untilDeposited(sell);
  const [held] = (await rig.deps.store.leaseTransactions(['deposited'], leaseOf(rig.deps, 50))).filter(
    ({ id }) => id === sell.id,
  );
  const other = rig.another();
  await other.run();
  await Promise.all([payOut(rig.deps, [held!]), payOut(other.deps, [held!])]);
  leaseEnds();
  await paidOnce(sell);
  assert.equal((await rig.rows('select id from movements where transaction_id = $1', sell.id)).length, 1);
});

test('threat 58: two processes follow one payout at once: it is booked once', async () => {
  const sell = await paidSell();
  await rig.until(sell.id, 'paying_out');
  rig.pass(2_000);
  const { followMovements } = await import('./follow-movements.ts');
  const [held] = await rig.deps.store.leaseMovements(['sending'], leaseOf(rig.deps, 50));
  assert.equal(held!.transactionId, sell.id);
  await Promise.all([rig, rig.another()].map(({ deps }) => followMovements(deps, [{ movement: held! }])));
  await paidOnce(sell);
  const paid = (await rig.events(sell.id)).filter((event) => event === 'payout_paid');
  assert.equal(paid.length, 1);
});

test('the bank float is too low: the sell waits, and goes on when there is naira', async () => {
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

test('the books balance after all of it', () => booksBalance({ foundation: rig } as never));
