// Defines the part of a network's contract about obstacles to a payment: an empty treasury, another process that uses the
// wallet, or a wallet that is not ready or must not be paid. The network never pays a part of a payment. It makes a waiting
// payment later, once.
import assert from 'node:assert/strict';
import {
  assertNothing,
  assertReceived,
  type Case,
  type ContractHarness,
  eventually,
  naira,
  passSome,
  payment,
  payments,
} from './case.ts';
import { makePayer, type Payer } from './payer.ts';

/** No network may ever pay these addresses. */
const OWNERLESS = [
  '',
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dEaD',
  'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
];

async function emptied(
  harness: ContractHarness,
  coin: NonNullable<ContractHarness['treasury']>,
  obstacle: string,
) {
  const payer = makePayer(harness);
  const orders = await payments(harness, 3);
  await coin.empty();
  const { stored, waiting } = await payer.sign(orders);
  await coin.refill();
  assert.deepEqual(stored, []);
  assert.deepEqual(
    waiting.map((each) => each.obstacle),
    orders.map(() => obstacle),
  );
  await passSome(harness, 2);
  for (const { to } of orders) await assertNothing(harness, to);
  assert.equal((await payer.pay(orders)).paid.length, orders.length);
  await assertReceived(harness, orders);
}

async function settleAll(payer: Payer, stored: Awaited<ReturnType<Payer['signAll']>>) {
  for (const send of stored) assert.equal((await payer.settle(send)).kind, 'final');
}

export const OBSTACLES: readonly Case[] = [
  {
    title: 'threat 47: with an empty treasury payments wait, and are sent when it is filled',
    needs: ({ treasury }) => treasury !== undefined,
    run: (harness) => emptied(harness, harness.treasury!, 'treasury_low'),
  },
  {
    title: 'threat 47: below the minimum balance payments wait, and at the minimum they are sent',
    needs: ({ marked }) => marked !== undefined,
    run: async (harness) => {
      const { tokenMinor, native } = (await harness.network.treasury())!;
      const order = payment(harness, { to: await harness.wallet() });
      const turn = { lastSequence: null, live: 0, inFlightMinor: 0n };
      const obstacles = async (marks: { tokenMinor: bigint; nativeMinor: bigint }) => {
        const network = await harness.marked!(marks);
        const { envelopes, waiting } = await network.prepare([order], turn);
        return envelopes.length === 1 ? ['none'] : waiting.map(({ obstacle }) => obstacle);
      };
      const { amountMinor: nativeMinor } = native;
      assert.deepEqual(await obstacles({ tokenMinor: tokenMinor + 1n, nativeMinor: 0n }), ['treasury_low']);
      assert.deepEqual(await obstacles({ tokenMinor: 0n, nativeMinor: nativeMinor + 1n }), ['native_low']);
      assert.deepEqual(await obstacles({ tokenMinor, nativeMinor }), ['none']);
    },
  },
  {
    title: 'without the coin for fees payments wait, and are sent when the coin arrives',
    needs: ({ native }) => native !== undefined,
    run: (harness) => emptied(harness, harness.native!, 'native_low'),
  },
  {
    title:
      'threat 47: payments that the treasury can cover are sent, the others wait, and payments in progress stay reserved',
    needs: ({ treasury }) => treasury !== undefined,
    run: async (harness) => {
      const payer = makePayer(harness);
      const { tokenMinor } = (await harness.network.treasury())!;
      const small = payment(harness, { to: await harness.wallet() });
      const all = payment(harness, { to: await harness.wallet(), amountMinor: tokenMinor });
      const { stored, waiting } = await payer.sign([small, all]);
      assert.deepEqual(
        [stored.flatMap(({ orderIds }) => orderIds), waiting.map((each) => each.payment.orderId)],
        [[small.orderId], [all.orderId]],
      );
      assert.match(waiting[0]!.obstacle, /^(treasury_low|turn_taken)$/);
      // The chain still shows the whole balance, but the adapter counts the reservation.
      const meanwhile = await payer.sign([all]);
      assert.deepEqual(meanwhile.stored, []);
      assert.match(meanwhile.waiting[0]!.obstacle, /^(treasury_low|turn_taken)$/);
      await payer.broadcast(stored[0]!);
      await settleAll(payer, stored);
      const after = await payer.sign([all]);
      assert.deepEqual([after.stored, after.waiting[0]!.obstacle], [[], 'treasury_low']);
      await assertReceived(harness, [small]);
      await assertNothing(harness, all.to);
    },
  },
  {
    title:
      'threats 43 and 44: while one payment is signed the next one waits or takes the next sequence number',
    run: async (harness) => {
      const payer = makePayer(harness);
      const [first, second] = await payments(harness, 2);
      const [one] = (await payer.sign([first!])).stored;
      const { stored, waiting } = await payer.sign([second!]);
      if (waiting.length > 0) assert.equal(waiting[0]!.obstacle, 'turn_taken');
      // The later payment is broadcast first, as after a crash between the two broadcasts.
      for (const send of stored) {
        await payer.broadcast(send);
        await passSome(harness, 3);
        if (harness.network.orderedBy !== null) {
          assert.ok(BigInt(send.versions[0]!.sequence!) > BigInt(one!.versions[0]!.sequence!));
          assert.match(
            (await payer.ask(send)).kind,
            /^(pending|unknown|stuck)$/,
            'it waits for the earlier one',
          );
        }
      }
      await payer.broadcast(one!);
      await settleAll(payer, [one!, ...stored]);
      await payer.pay(waiting.map((each) => each.payment));
      await assertReceived(harness, [first!, second!]);
    },
  },
  {
    title: 'threat 37: a payment waits for a wallet that cannot receive yet, and is then made once',
    needs: ({ unready }) => unready !== undefined,
    run: async (harness) => {
      const { wallet, about = null, open } = await harness.unready!();
      const order = payment(harness, { to: wallet, about });
      assert.equal(await harness.network.recipientReady(order), 'waiting');
      await open();
      await eventually(
        harness,
        () => harness.network.recipientReady(order),
        (answer) => answer === 'ready',
      );
      assert.equal((await makePayer(harness).pay([order])).paid.length, 1);
      await assertReceived(harness, [order]);
    },
  },
  {
    title:
      'threat 35: addresses without an owner, the token and our own wallets are refused as destinations; others are accepted',
    run: async (harness) => {
      const { network, forbidden = [] } = harness;
      const [send] = (await makePayer(harness).sign([payment(harness, { to: await harness.wallet() })]))
        .stored;
      const own = [
        send!.versions[0]!.source,
        (await network.treasury())?.wallet ?? '',
        network.orderedBy ?? '',
      ];
      const target = network.depositTarget('anything');
      // An account that many deposits share is ours, so no buy may pay it.
      if (target.memo !== null) own.push(target.address);
      for (const address of [...OWNERLESS, ...forbidden, ...own])
        assert.equal(network.checkAddress(address).ok, false, address);
      const wallet = await harness.wallet();
      assert.deepEqual(network.checkAddress(wallet), { ok: true, address: wallet });
    },
  },
  {
    title: 'the cost of a payment is exact to the last unit, if it has a cost',
    run: async (harness) => {
      const { network } = harness;
      const payer = makePayer(harness);
      const orders = await payments(harness, 3);
      const before = (await network.treasury())!;
      const stored = await payer.signAll(orders);
      await settleAll(payer, stored);
      const costs = stored.map(({ end }) => (end?.kind === 'final' ? end.cost : null));
      const { native } = network;
      if (native === null) return assert.deepEqual(new Set(costs), new Set([null]));
      assert.deepEqual([before.native.asset, before.native.decimals], [native.asset, native.decimals]);
      const after = (await network.treasury())!;
      let spentMinor = 0n;
      for (const cost of costs) {
        assert.ok(cost !== null && cost.asset === native.asset && cost.feeMinor > 0n);
        spentMinor += cost.opened.reduce((sum, { amountMinor }) => sum + amountMinor, cost.feeMinor);
      }
      assert.equal(before.native.amountMinor - after.native.amountMinor, spentMinor);
      assert.equal(before.tokenMinor - after.tokenMinor, naira(network, 11n + 12n + 13n));
    },
  },
];
