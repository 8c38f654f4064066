// Defines the part of a network's contract about the last safeguard: the network shows every outflow of the treasury, whichever
// key signed it, and shows nothing else.
import assert from 'node:assert/strict';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { Outflow } from '../../../src/ports/networks/network-watch.ts';
import { type Case, eventually, naira, newId, passSome, payments } from './case.ts';
import { makePayer } from './payer.ts';

const sum = (outflows: readonly Outflow[]) =>
  outflows.reduce((total, { amountMinor }) => total + amountMinor, 0n);

async function beginning(network: Network): Promise<string> {
  const { outflows, unreadable, position } = await network.outflows(null);
  assert.deepEqual([outflows, unreadable], [[], []], 'what was before is not shown');
  return position;
}

export const OUTFLOWS: readonly Case[] = [
  {
    title:
      'a payment is shown as an outflow of the treasury, under its own hash, until it is final and passed',
    run: async (harness) => {
      const { network } = harness;
      const payer = makePayer(harness);
      let position = await beginning(network);
      const orders = await payments(harness, 3);
      const sends = await payer.signAll(orders);
      for (const send of sends) assert.equal((await payer.settle(send)).kind, 'final');
      const shown = await network.outflows(position);
      const hashes = new Set(sends.map(({ versions }) => versions[0]!.hash));
      assert.deepEqual(new Set(shown.outflows.map(({ txHash }) => txHash)), hashes);
      assert.equal(
        sum(shown.outflows),
        orders.reduce((total, { amountMinor }) => total + amountMinor, 0n),
      );
      const identities = shown.outflows.map(({ txHash, index }) => `${txHash} ${index}`);
      assert.equal(new Set(identities).size, identities.length, 'each has an identity of its own');
      assert.deepEqual(
        (await (await harness.restarted()).outflows(position)).outflows
          .map(({ txHash }) => txHash)
          .toSorted(),
        shown.outflows.map(({ txHash }) => txHash).toSorted(),
      );
      // The network does not show an outflow again once the outflow is final and before the position.
      await eventually(
        harness,
        async () => {
          const { outflows, position: next } = await network.outflows(position);
          position = next;
          return outflows;
        },
        (outflows) => outflows.length === 0,
      );
      const [later] = await payments(harness, 1);
      assert.equal((await payer.pay([later!])).paid.length, 1);
      assert.equal(sum((await network.outflows(position)).outflows), later!.amountMinor);
    },
  },
  {
    title: 'an incoming transfer is not an outflow',
    run: async (harness) => {
      const { network } = harness;
      const position = await beginning(network);
      const { address, memo } = network.depositTarget(newId('txn'));
      await harness.deposit(newId('dep'), { address, memo, amountMinor: naira(network, 40n) });
      await passSome(harness);
      assert.deepEqual((await network.outflows(position)).outflows, []);
    },
  },
  {
    title:
      'threat 49: a transfer signed by another holder of the treasury key is shown even before it is final',
    needs: ({ steal }) => steal !== undefined,
    run: async (harness) => {
      const { network } = harness;
      const position = await beginning(network);
      const amountMinor = naira(network, 77n);
      const hash = await harness.steal!(amountMinor);
      const outflows = await eventually(
        harness,
        async () => (await network.outflows(position)).outflows,
        (shown) => shown.length > 0,
      );
      assert.deepEqual(
        outflows.map((each) => [each.txHash, each.amountMinor]),
        [[hash, amountMinor]],
      );
    },
  },
  {
    title: 'threat 42: one lagging provider does not hide an outflow that another provider shows',
    needs: ({ steal, lag }) => steal !== undefined && lag !== undefined,
    run: async (harness) => {
      const { network } = harness;
      const position = await beginning(network);
      const cleared = await harness.lag!({
        paths: ['status', 'account', 'height', 'history'],
        providers: 'one',
        servers: 'sticky',
      });
      await harness.steal!(naira(network, 77n));
      let next = position;
      await eventually(
        harness,
        async () => (await network.outflows(position)).outflows,
        (shown) => shown.length > 0,
      );
      // The position does not move past the lagging provider, so the network skips nothing that this provider still has to
      // show.
      for (let step = 0; step < 4; step++) {
        next = (await network.outflows(next)).position;
        await harness.pass();
      }
      assert.ok((await network.outflows(next)).outflows.length > 0, 'it is not passed over');
      await cleared();
      assert.ok((await network.outflows(next)).outflows.length > 0);
    },
  },
];
