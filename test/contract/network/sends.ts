// Defines the part of a network's contract about payments without trouble, and about a service that crashes during a payment.
import assert from 'node:assert/strict';
import { assertNothing, assertReceived, type Case, passSome, payment } from './case.ts';
import { readBack } from './desk.ts';
import { type Final, makePayer } from './payer.ts';

export const SENDS: readonly Case[] = [
  {
    title: 'a payment becomes final, and is received once',
    run: async (harness) => {
      const { network } = harness;
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.wallet() });
      assert.equal(await network.recipientReady(order), 'ready');
      const { stored, waiting } = await payer.sign([order]);
      assert.deepEqual([stored.length, waiting], [1, []]);
      const [send] = stored;
      assert.equal(
        network.checkAddress(send!.versions[0]!.source).ok,
        false,
        'the treasury is no destination',
      );
      await passSome(harness, 2);
      await assertNothing(harness, order.to);
      assert.equal((await payer.broadcast(send!)).kind, 'accepted');
      const status = (await payer.settle(send!)) as Final;
      assert.match(send!.trail.join(), /^((pending|included),)*final$/);
      assert.deepEqual([status.hash, status.unpaid], [send!.versions[0]!.hash, []]);
      await assertReceived(harness, [order]);
      assert.equal((await (await harness.restarted()).ask(send!)).kind, 'final');
    },
  },
  {
    title: 'two equal payments of two orders are two payments, sent together or one after the other',
    run: async (harness) => {
      const to = await harness.wallet();
      const about = payment(harness, { to }).about;
      const twins = Array.from({ length: 4 }, () => payment(harness, { to, about }));
      const payer = makePayer(harness);
      assert.equal((await payer.pay(twins.slice(0, 2))).paid.length, 2);
      for (const twin of twins.slice(2)) assert.equal((await payer.pay([twin])).paid.length, 1);
      await assertReceived(harness, twins);
    },
  },
  {
    title: 'threat 40: the same bytes broadcast again, at once, later and by others, pay once',
    run: async (harness) => {
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.wallet() });
      const [send] = (await payer.sign([order])).stored;
      const elsewhere = await harness.restarted();
      const bytes = send!.versions[0]!;
      const outcomes = await Promise.all([
        ...Array.from({ length: 3 }, () => harness.network.broadcast(bytes)),
        ...Array.from({ length: 3 }, () => elsewhere.broadcast(bytes)),
      ]);
      for (const { kind } of outcomes) assert.notEqual(kind, 'rejected');
      assert.ok(outcomes.some(({ kind }) => kind === 'accepted'));
      assert.equal((await payer.settle(send!)).kind, 'final');
      assert.notEqual((await elsewhere.broadcast(bytes)).kind, 'rejected', 'it did not do nothing');
      await passSome(harness);
      assert.equal((await payer.ask(send!)).kind, 'final');
      await assertReceived(harness, [order]);
    },
  },
  {
    title: 'threat 40: after a crash before the broadcast another process broadcasts the stored bytes',
    run: async (harness) => {
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.wallet() });
      const [send] = (await payer.sign([order])).stored;
      const other = await harness.restarted();
      assert.equal((await payer.ask(send!, other)).kind, 'pending');
      assert.equal((await payer.broadcast(send!, other)).kind, 'accepted');
      assert.equal((await payer.settle(send!, other)).kind, 'final');
      await assertReceived(harness, [order]);
    },
  },
  {
    title: 'threat 41: after a crash after the broadcast another process finds the payment by its hash',
    run: async (harness) => {
      const payer = makePayer(harness);
      const order = payment(harness, { to: await harness.wallet() });
      const [send] = (await payer.sign([order])).stored;
      await harness.network.broadcast(readBack(send!.versions[0]!));
      assert.equal((await payer.settle(send!, await harness.restarted())).kind, 'final');
      await assertReceived(harness, [order]);
    },
  },
];
