// Defines the part of a network's contract about payments that share a transaction. Each payment is paid once, and a problem
// with one payment costs the other payments at most one more attempt.
import assert from 'node:assert/strict';
import type { Payment } from '../../../src/ports/networks/network-payer.ts';
import {
  assertNothing,
  assertReceived,
  type Case,
  type ContractHarness,
  passSome,
  payment,
  payments,
} from './case.ts';
import type { Stored } from './desk.ts';
import type { Trouble } from './harness.ts';
import { makePayer } from './payer.ts';

const SEVERAL = 6;
const batches = ({ batches }: ContractHarness) => batches !== false;

/** The first broadcast of each envelope meets the trouble. In the end each payment is paid once, by whatever route. */
async function payThrough(harness: ContractHarness, trouble: Trouble) {
  const payer = makePayer(harness);
  const orders = await payments(harness, SEVERAL);
  const { stored, waiting } = await payer.sign(orders);
  for (const send of stored) {
    await harness.meet(trouble, send.versions[0]!);
    await payer.broadcast(send);
  }
  if (trouble === 'dropped') await offerAgainOrExpire(harness, stored);
  const anew: Payment[] = waiting.map(({ payment }) => payment);
  for (const send of stored) {
    const status = await payer.settle(send);
    if (status.kind === 'final') assert.deepEqual(status.unpaid, []);
    else anew.push(...send.payments.map((each) => ({ ...each, alone: true })));
  }
  assert.deepEqual((await payer.pay(anew)).given, []);
  await passSome(harness);
  await assertReceived(harness, orders);
  return stored;
}

async function offerAgainOrExpire(harness: ContractHarness, stored: readonly Stored[]) {
  for (const { versions } of stored) {
    if (versions[0]!.bound === null) await harness.network.broadcast(versions[0]!);
    else await harness.untilExpired(versions[0]!);
  }
}

const byLength = (a: readonly unknown[], b: readonly unknown[]) => a.length - b.length;

export const BATCHES: readonly Case[] = [
  {
    title: 'payments to several wallets are each received once',
    run: async (harness) => {
      const payer = makePayer(harness);
      const orders = await payments(harness, SEVERAL);
      const stored = await payer.signAll(orders);
      if (batches(harness)) assert.ok(stored.length < orders.length, 'they share transactions');
      for (const send of stored) {
        const status = await payer.settle(send);
        assert.ok(status.kind === 'final' && status.unpaid.length === 0, send.trail.join());
      }
      await assertReceived(harness, orders);
    },
  },
  {
    title: 'an order that must go alone does, and the others go together',
    needs: batches,
    run: async (harness) => {
      const payer = makePayer(harness);
      const orders = await payments(harness, 4);
      const [, second] = orders;
      orders[1] = { ...second!, alone: true };
      const stored = await payer.signAll(orders);
      const own = stored.find(({ orderIds }) => orderIds.includes(second!.orderId));
      assert.deepEqual(own?.orderIds, [second!.orderId]);
      assert.ok(stored.length < orders.length);
      for (const send of stored) assert.equal((await payer.settle(send)).kind, 'final');
      await assertReceived(harness, orders);
    },
  },
  {
    title: 'threat 42: a lost answer for several payments pays each once',
    needs: ({ troubles }) => troubles.has('answer_lost'),
    run: async (harness) => {
      await payThrough(harness, 'answer_lost');
    },
  },
  {
    title: 'several payments that were dropped together are each finally paid once',
    needs: ({ troubles }) => troubles.has('dropped'),
    run: async (harness) => {
      await payThrough(harness, 'dropped');
    },
  },
  {
    title: 'several payments that failed together paid nothing, and each is paid once when it is sent alone',
    needs: (harness) => batches(harness) && harness.troubles.has('fails'),
    run: async (harness) => {
      const stored = await payThrough(harness, 'fails');
      for (const { end } of stored) assert.equal(end?.kind, 'failed');
    },
  },
  {
    title:
      'one failing payment makes its batch fail once: the others go together again, it goes alone, and each is paid once',
    needs: ({ shut }) => shut !== undefined,
    run: async (harness) => {
      const payer = makePayer(harness);
      const orders = await payments(harness, 4);
      const [send, ...more] = (await payer.sign(orders)).stored;
      assert.deepEqual(more, [], 'they share one transaction');
      const culprit = send!.payments[2]!;
      const open = await harness.shut!(culprit.to);
      await payer.broadcast(send!);
      const status = await payer.settle(send!);
      assert.ok(status.kind === 'failed', send!.trail.join());
      assert.deepEqual(status.culprits, [2]);
      await open();
      const anew = orders.map((each) => ({ ...each, alone: each.orderId === culprit.orderId }));
      const again = await payer.signAll(anew);
      const innocent = orders.map(({ orderId }) => orderId).filter((each) => each !== culprit.orderId);
      assert.deepEqual(again.map(({ orderIds }) => orderIds).toSorted(byLength), [
        [culprit.orderId],
        innocent,
      ]);
      for (const each of again) assert.equal((await payer.settle(each)).kind, 'final', each.trail.join());
      await passSome(harness);
      await assertReceived(harness, orders);
    },
  },
  {
    title: 'threat 36: a wallet that the token refuses is not paid, and the reason is reported',
    needs: ({ refusing }) => refusing !== undefined,
    run: async (harness) => {
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.refusing!() });
      const { paid, given } = await payer.pay([order]);
      assert.deepEqual([paid.length, given.length], [0, 1]);
      await assertNothing(harness, order.to);
    },
  },
  {
    title: 'a wallet that the token refuses does not stop the payment of another wallet',
    needs: ({ refusing }) => refusing !== undefined,
    run: async (harness) => {
      const payer = makePayer(harness);
      const orders = await payments(harness, SEVERAL);
      const refused = payment(harness, { to: await harness.refusing!() });
      orders.splice(2, 0, refused);
      const { paid, given } = await payer.pay(orders);
      assert.deepEqual(
        given.map(({ orderId }) => orderId),
        [refused.orderId],
      );
      assert.equal(paid.length, SEVERAL);
      await passSome(harness);
      await assertReceived(harness, paid);
      await assertNothing(harness, refused.to);
    },
  },
];
