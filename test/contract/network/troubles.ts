// Defines the part of a network's contract about trouble during a broadcast. An outcome that is not proven stays open, and the
// network pays the order once.
import assert from 'node:assert/strict';
import {
  assertNothing,
  assertReceived,
  type Case,
  type ContractHarness,
  LARGE_NAIRA,
  naira,
  passSome,
  payment,
} from './case.ts';
import type { Trouble } from './harness.ts';
import { makePayer } from './payer.ts';

const meets =
  (trouble: Trouble) =>
  ({ troubles }: ContractHarness) =>
    troubles.has(trouble);

async function troubled(harness: ContractHarness, trouble: Trouble) {
  const payer = makePayer(harness);
  const order = payment(harness, { to: await harness.wallet() });
  const [send] = (await payer.sign([order])).stored;
  await harness.meet(trouble, send!.versions[0]!);
  return { payer, order, send: send!, bytes: send!.versions[0]! };
}

export const TROUBLES: readonly Case[] = [
  {
    title: 'threat 42: an error for a landed payment proves nothing, and a query finds it final',
    needs: meets('answer_lost'),
    run: async (harness) => {
      const { payer, order, send } = await troubled(harness, 'answer_lost');
      assert.notEqual((await payer.broadcast(send)).kind, 'rejected');
      assert.equal((await payer.settle(send)).kind, 'final');
      await assertReceived(harness, [order]);
    },
  },
  {
    title: 'threat 42: a failed connection gives an unknown result; the same bytes sent again pay once',
    needs: meets('no_connection'),
    run: async (harness) => {
      const { payer, order, send } = await troubled(harness, 'no_connection');
      assert.equal((await payer.broadcast(send)).kind, 'unknown');
      assert.equal((await payer.settle(send)).kind, 'final');
      assert.equal(send.broadcast, 'accepted', 'it was offered again');
      assert.equal(send.versions.length, 1);
      await assertReceived(harness, [order]);
    },
  },
  {
    title:
      'threat 42: dropped bytes are dead only after their expiry; bytes without an expiry land when they are sent again',
    needs: meets('dropped'),
    run: async (harness) => {
      const { payer, order, send, bytes } = await troubled(harness, 'dropped');
      assert.equal((await payer.broadcast(send)).kind, 'accepted');
      await passSome(harness, 2);
      assert.match((await payer.ask(send)).kind, /^(pending|unknown|stuck)$/);
      if (bytes.bound === null) {
        await payer.broadcast(send);
        assert.equal((await payer.settle(send)).kind, 'final');
      } else {
        await harness.untilExpired(bytes);
        assert.equal((await payer.settle(send)).kind, 'dead');
        const [anew] = (await payer.sign([{ ...order, alone: true }])).stored;
        await payer.broadcast(anew!);
        assert.equal((await payer.settle(anew!)).kind, 'final');
        await harness.network.broadcast(bytes);
        await passSome(harness);
        assert.equal((await payer.ask(send, await harness.restarted())).kind, 'dead');
      }
      await assertReceived(harness, [order]);
    },
  },
  {
    title:
      'threat 40: bytes that were not broadcast are open until their expiry, and permanently dead after it',
    run: async (harness) => {
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.wallet() });
      const [send] = (await payer.sign([order])).stored;
      const bytes = send!.versions[0]!;
      await passSome(harness, 2);
      assert.match((await payer.ask(send!)).kind, /^(pending|unknown|stuck)$/);
      if (bytes.bound === null) {
        await passSome(harness);
        assert.match((await payer.ask(send!)).kind, /^(pending|unknown|stuck)$/, 'nothing ends it by itself');
        await payer.broadcast(send!);
        assert.equal((await payer.settle(send!)).kind, 'final');
        return assertReceived(harness, [order]);
      }
      await harness.untilExpired(bytes);
      // The payment is proven dead while the bytes are being sent, so they never get into a block.
      const elsewhere = await harness.restarted();
      await Promise.all([payer.ask(send!), elsewhere.broadcast(bytes)]);
      assert.equal((await payer.settle(send!)).kind, 'dead');
      await elsewhere.broadcast(bytes);
      await passSome(harness);
      assert.equal((await payer.ask(send!, elsewhere)).kind, 'dead');
      await assertNothing(harness, order.to);
    },
  },
  {
    title: 'threat 45: a reorganised payment is included, removed, and finally paid once',
    needs: meets('reorganised'),
    run: async (harness) => {
      const { payer, order, send } = await troubled(harness, 'reorganised');
      assert.equal((await payer.broadcast(send)).kind, 'accepted');
      assert.equal((await payer.settle(send)).kind, 'final');
      assert.match(send.trail.join(), /included,(unknown,)?pending,.*final$/);
      await assertReceived(harness, [order]);
    },
  },
  {
    title: 'a failed payment paid nothing, stays failed, and is then signed again',
    needs: meets('fails'),
    run: async (harness) => {
      const { payer, order, send, bytes } = await troubled(harness, 'fails');
      await payer.broadcast(send);
      const status = await payer.settle(send);
      assert.ok(status.kind === 'failed', send.trail.join());
      if (harness.network.native !== null) assert.ok(status.cost!.feeMinor > 0n, 'it cost a fee');
      await assertNothing(harness, order.to);
      await harness.network.broadcast(bytes);
      await passSome(harness);
      assert.equal((await payer.ask(send, await harness.restarted())).kind, 'failed');
      assert.equal((await payer.pay([{ ...order, alone: true }])).paid.length, 1);
      await assertReceived(harness, [order]);
    },
  },
  {
    title: 'bytes that a network refuses provably did nothing, or stay open; the order is finally paid once',
    needs: meets('rejected'),
    run: async (harness) => {
      const { payer, order, send, bytes } = await troubled(harness, 'rejected');
      const { kind } = await payer.broadcast(send);
      assert.notEqual(kind, 'accepted');
      if (kind === 'rejected') {
        assert.equal((await harness.network.broadcast(bytes)).kind, 'rejected');
        await passSome(harness);
        await assertNothing(harness, order.to);
      }
      const status = await payer.settle(send);
      if (status.kind !== 'final')
        assert.equal((await payer.pay([{ ...order, alone: true }])).paid.length, 1);
      await passSome(harness);
      await assertReceived(harness, [order]);
    },
  },
  {
    title: 'threat 44: a stuck payment is signed again with its nonce for a higher fee, and paid once',
    needs: meets('stuck'),
    run: async (harness) => {
      const { payer, order, send } = await troubled(harness, 'stuck');
      assert.equal((await payer.broadcast(send)).kind, 'accepted');
      const status = await payer.settle(send);
      assert.ok(status.kind === 'final', send.trail.join());
      assert.ok(send.versions.length > 1 && send.trail.includes('stuck'), send.trail.join());
      const elsewhere = await harness.restarted();
      for (const version of send.versions) await elsewhere.broadcast(version);
      await passSome(harness);
      assert.deepEqual((await payer.ask(send, elsewhere)).kind, 'final');
      await assertReceived(harness, [order]);
    },
  },
  {
    title:
      'a cancelled payment pays nothing, even if its own bytes arrive late; without a cancel its expiry ends it',
    run: async (harness) => {
      for (const trouble of [undefined, 'stuck' as const]) {
        if (trouble !== undefined && !harness.troubles.has(trouble)) continue;
        const payer = makePayer(harness);
        const order = payment(harness, { to: await harness.wallet() });
        const [send] = (await payer.sign([order])).stored;
        const bytes = send!.versions[0]!;
        const cancelling = await harness.network.cancel(send!);
        if (cancelling === undefined) return assert.notEqual(bytes.bound, null);
        if (trouble !== undefined) {
          await harness.meet(trouble, bytes);
          await payer.broadcast(send!);
        }
        await payer.replaceBy(send!, cancelling);
        const status = await payer.settle(send!);
        assert.ok(status.kind === 'failed' && status.reason === 'cancelled', send!.trail.join());
        await harness.network.broadcast(bytes);
        await passSome(harness);
        await assertNothing(harness, order.to);
        assert.equal((await payer.pay([{ ...order, alone: true }])).paid.length, 1);
        await assertReceived(harness, [order]);
      }
    },
  },
  {
    title: 'threat 46: a provider that lies about a large payment is not believed',
    needs: ({ lie }) => lie !== undefined,
    run: async (harness) => {
      const payer = makePayer(harness);
      const amountMinor = naira(harness.network, LARGE_NAIRA);
      const order = payment(harness, { to: await harness.wallet(), amountMinor });
      const [send] = (await payer.sign([order])).stored;
      await harness.lie!(send!.versions[0]!);
      for (let step = 0; step < 6; step++) {
        assert.match((await harness.network.ask(send!)).kind, /^(pending|unknown)$/);
        await harness.pass();
      }
      await assertNothing(harness, order.to);
    },
  },
];
