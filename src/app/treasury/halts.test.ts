// Tests halted assets. While an asset is halted, the service makes no new payment. It also sends no stored payment that may
// never have been sent, or that a bank or network does not know. After the halt is lifted, each payment continues and is made
// once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { DEATH } from '../../../test/support/networks/scripted-network.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { moveTransaction } from '../../domain/records/transaction-moves.ts';
import type { Network } from '../../ports/networks/network.ts';
import type { SignedTransaction } from '../../ports/networks/network-payer.ts';
import type { PayoutOrder } from '../../ports/rails/rail-payouts.ts';

const rig = await openRig({ partialCredit: 'refund' });
const TOKEN = 'NGNC@Polygon';

const halt = (asset: string) =>
  rig.rows(`insert into halts (mode, asset, reason, at) values ('test', $1, 'test', now())`, asset);
const lift = () => rig.rows('delete from halts');

/**
 * This is long enough for the longest pause. The pauses between tries double and are partly random, so the next try may be
 * later than the end of the halt.
 */
const GOES_ON_MS = 900_000;

function watched(more: Partial<Network> = {}) {
  const paid: PayoutOrder[] = [];
  const sent: SignedTransaction[] = [];
  const process = rig.another({
    bank: {
      pay: async (order) => {
        paid.push(order);
        return rig.bank.payouts.pay(order);
      },
    },
    network: (real) => ({
      broadcast: async (prepared) => {
        sent.push(prepared);
        return real.broadcast(prepared);
      },
      ...more,
    }),
  });
  const passing = async (ms: number) => {
    const stepMs = Math.max(2_000, ms / 40);
    for (let passed = 0; passed < ms; passed += stepMs) {
      rig.pass(stepMs);
      await process.run();
    }
  };
  // Waits until the leases have ended that the earlier process held to read the bank and the networks.
  rig.pass(20_000);
  return { process, paid, sent, passing };
}

const dying = () =>
  rig.another({
    bank: { pay: async () => assert.fail('died') },
    network: () => ({ broadcast: async () => assert.fail('died') }),
  });

async function soldTokens() {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  return sell;
}

let people = 0;
async function paidBuy(shortMinor = 0n) {
  const accountNumber = `${7_000_000_000 + ++people * 7_919}`;
  const buy = await rig.buy({ accountNumber, amountMinor: 1_900_000n });
  await rig.payIn({ payerAccount: accountNumber, amountMinor: buy.amountMinor - shortMinor });
  return buy;
}

async function untilDead(process: { run(): Promise<unknown> }): Promise<void> {
  for (let step = 0; step < 50; step++) {
    rig.pass(1_000);
    try {
      await process.run();
    } catch {
      return;
    }
  }
  assert.fail('nothing was sent');
}

test('threat 94: a new payout waits while its asset is halted, and is made when the halt is lifted', async () => {
  await halt('NGN');
  const sell = await soldTokens();
  const { paid, passing } = watched();
  await passing(60_000);
  assert.deepEqual([(await rig.find(sell.id)).state, paid], ['deposited', []]);
  assert.deepEqual(await rig.deps.store.movementsOf([sell.id]), []);
  await lift();
  await passing(GOES_ON_MS);
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.equal((await rig.bank.paidOut(sell.id)).length, 1);
});

test('threat 94: a sell that people released also waits while its asset is halted', async () => {
  await halt('NGN');
  const sell = await soldTokens();
  const { paid, passing } = watched();
  await passing(20_000);
  const waiting = await rig.find(sell.id);
  assert.equal(waiting.state, 'deposited');
  const atMs = rig.now();
  const release = {
    actor: 'cli:ada',
    atMs,
    reason: 'released',
    dueAtMs: atMs,
    updates: { released: true },
  } as const;
  const [outcome] = await rig.deps.store.commit([
    { atMs, transactions: [moveTransaction(waiting, 'deposited', release)] },
  ]);
  assert.deepEqual(outcome, { kind: 'committed' });
  await passing(60_000);
  const { state, released } = await rig.find(sell.id);
  assert.deepEqual([state, released, paid], ['deposited', true, []]);
  await lift();
  await passing(GOES_ON_MS);
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('threat 94: a stored payout that may not have reached the bank waits while its asset is halted', async () => {
  const sell = await soldTokens();
  rig.pass(20_000);
  await untilDead(dying());
  assert.equal((await rig.find(sell.id)).state, 'paying_out');
  await halt('NGN');
  const { paid, passing } = watched();
  await passing(120_000);
  assert.deepEqual([(await rig.find(sell.id)).state, paid], ['paying_out', []]);
  await lift();
  await passing(GOES_ON_MS);
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.equal((await rig.bank.paidOut(sell.id)).length, 1);
});

test('a payout that the bank does not know is not sent again while its asset is halted', async () => {
  const sell = await soldTokens();
  const deaf = rig.another({
    bank: {
      pay: async () => ({ kind: 'unknown', reason: 'no answer came' }),
      ask: async () => ({ kind: 'not_found' }),
    },
  });
  rig.pass(20_000);
  for (let step = 0; step < 20 && (await rig.find(sell.id)).state !== 'paying_out'; step++) {
    rig.pass(1_000);
    await deaf.run();
  }
  await halt('NGN');
  const { paid, passing } = watched();
  await passing(600_000);
  assert.deepEqual([(await rig.find(sell.id)).state, paid], ['paying_out', []]);
  await lift();
  await passing(GOES_ON_MS);
  assert.equal((await rig.find(sell.id)).state, 'completed');
  assert.equal((await rig.bank.paidOut(sell.id)).length, 1);
});

test('a bank refund waits while its asset is halted', async () => {
  await halt('NGN');
  const buy = await paidBuy(100n);
  const { paid, passing } = watched();
  await passing(60_000);
  const [waiting] = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual([waiting!.kind, waiting!.state, waiting!.attempts, paid], ['refund', 'pending', 0, []]);
  await lift();
  await passing(GOES_ON_MS);
  assert.equal((await rig.deps.store.movementsOf([buy.id]))[0]!.state, 'done');
});

test('threat 94: a stored send that may not have reached the network waits while its asset is halted, and so does a new one', async () => {
  const stored = await paidBuy();
  rig.pass(20_000);
  await untilDead(dying());
  assert.equal((await rig.find(stored.id)).state, 'sending');
  await halt(TOKEN);
  const fresh = await paidBuy();
  const { sent, passing } = watched();
  await passing(120_000);
  assert.deepEqual(
    [(await rig.find(stored.id)).state, (await rig.find(fresh.id)).state, sent],
    ['sending', 'paid', []],
  );
  await lift();
  await passing(GOES_ON_MS);
  for (const { id } of [stored, fresh]) {
    assert.equal((await rig.find(id)).state, 'completed');
    const [send] = await rig.deps.store.movementsOf([id]);
    assert.equal(await rig.network('Polygon').paidTimes(send!.id), 1);
  }
});

test('while the asset is halted, a send whose transaction did nothing is not signed again, and one with an unknown outcome is not sent again', async () => {
  const [dead, unknown] = [await paidBuy(), await paidBuy()];
  rig.pass(20_000);
  let calls = 0;
  const troubled = rig.another({
    network: () => ({
      broadcast: async () =>
        calls++ === 0
          ? { kind: 'rejected', reason: 'no', death: DEATH }
          : { kind: 'unknown', reason: 'no answer came' },
      ask: async () => ({ kind: 'pending' }),
    }),
  });
  for (let step = 0; step < 20 && calls < 2; step++) {
    rig.pass(100);
    await troubled.run();
  }
  await halt(TOKEN);
  const halted = watched({ ask: async () => ({ kind: 'pending' }) });
  await halted.passing(120_000);
  assert.deepEqual(halted.sent, []);
  await lift();
  await watched().passing(GOES_ON_MS);
  for (const { id } of [dead, unknown]) assert.equal((await rig.find(id)).state, 'completed');
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
