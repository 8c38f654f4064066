// Contains contract cases that only this chain has: Solana providers that have lost part of their history, and what two lagging
// providers may show.
import assert from 'node:assert/strict';
import type { SolanaServer } from '../../../local-networks/solana/rpc/server.ts';
import { readPayload } from '../../../src/adapters/networks/solana/pay/envelope.ts';
import { payment, payments } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import { arriving, untilConfirmed, watcherOf } from '../network/watcher.ts';
import type { SolanaHarness } from './solana-network.ts';

const ANOTHER_CHAINS = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';

interface SolanaCase {
  readonly title: string;
  readonly run: (harness: SolanaHarness) => Promise<void>;
}

export const SOLANA_CASES: readonly SolanaCase[] = [
  {
    title: 'threats 42, 100: a payment missing from the statuses of both providers is found in its block',
    run: async (harness) => {
      const { server } = harness;
      const payer = makePayer(harness);
      const [send] = await payer.signAll(await payments(harness, 1));
      const [bytes] = send!.versions;
      const signedAt = Number(readPayload(bytes!).slot);
      await harness.pass();
      assert.ok(server.chain.landed.find(bytes!.hash));
      await harness.untilExpired(bytes!);
      // Signature lists have the same gap, because servers write statuses and lists in the same step.
      const ends = [loseStatuses(server, [signedAt, signedAt + 500]), loseListed(server, bytes!.hash)];
      assert.equal((await payer.ask(send!)).kind, 'final');
      for (const end of ends) end();
      assert.equal((await payer.settle(send!)).kind, 'final');
    },
  },
  {
    title: 'threats 42, 100: a block that is missing, unreadable or forged at one provider proves no death',
    run: async (harness) => {
      const { server } = harness;
      const { faults, chain } = server;
      const payer = makePayer(harness);
      const [send] = await payer.signAll(await payments(harness, 1));
      const [bytes] = send!.versions;
      const signedAt = Number(readPayload(bytes!).slot);
      await harness.pass();
      const { slot } = chain.landed.find(bytes!.hash)!.block;
      await harness.untilExpired(bytes!);
      await harness.pass();
      loseStatuses(server, [signedAt, signedAt + 500]);
      const leftOut = () =>
        faults.forge((_, honest) => (honest as readonly number[]).filter((each) => each !== slot), {
          methods: ['getBlocksWithLimit'],
        });
      const unread = () =>
        faults.forge(([asked], honest) => (asked === slot ? null : honest), { methods: ['getBlock'] });
      const forged = () =>
        faults.forge(
          ([asked], honest) =>
            asked === slot ? { ...(honest as object), signatures: [], blockhash: 'forged' } : honest,
          { methods: ['getBlock'], provider: 0 },
        );
      const emptied = () =>
        faults.forge(
          ([asked], honest) => (asked === slot ? { ...(honest as object), signatures: [] } : honest),
          { methods: ['getBlock'], provider: 0 },
        );
      for (const begin of [leftOut, unread, forged, emptied]) {
        const end = begin();
        // Each query uses a new adapter, because an adapter remembers what it has read.
        const { kind } = await (await harness.restarted()).ask(send!);
        assert.match(kind, begin === forged ? /^(unknown|final)$/ : /^unknown$/, begin.name);
        end();
      }
      assert.equal((await (await harness.restarted()).ask(send!)).kind, 'final');
    },
  },
  {
    title: 'threat 42: an expiry that is too low, and a block that the bytes do not name, prove no death',
    run: async (harness) => {
      const payer = makePayer(harness);
      const [send] = (await payer.sign(await payments(harness, 1))).stored;
      const [bytes] = send!.versions;
      const payload = readPayload(bytes!);
      const altered = (changes: object, bound = bytes!.bound) => {
        const own = { ...bytes!, bound, payload: JSON.stringify({ ...payload, ...changes }) };
        return { ...send!, versions: [own] };
      };
      await harness.untilExpired(bytes!);
      assert.equal((await harness.network.ask(send!)).kind, 'dead');
      // The bytes were signed with a provider that returned a later slot, so the adapter does not read the blocks before that
      // slot.
      const later = `${Number(payload.slot) + 3}`;
      assert.equal((await harness.network.ask(altered({ slot: later }))).kind, 'unknown');
      harness.server.chain.advance(60);
      assert.equal((await harness.network.ask(altered({ slot: later }))).kind, 'unknown');
    },
  },
  {
    title:
      'threat 101: nothing is signed with a blockhash of another chain, or with another slot than its own',
    run: async (harness) => {
      const { faults } = harness.server;
      const payer = makePayer(harness);
      type Latest = { readonly context: { readonly slot: number }; readonly value: object };
      const foreign = (_: unknown, honest: unknown) => {
        const { value, ...rest } = honest as Latest;
        return { ...rest, value: { ...value, blockhash: ANOTHER_CHAINS } };
      };
      const moved = (_: unknown, honest: unknown) => {
        const { context, ...rest } = honest as Latest;
        return { ...rest, context: { ...context, slot: context.slot - 3 } };
      };
      for (const answer of [foreign, moved]) {
        const atOne = faults.forge(answer, { methods: ['getLatestBlockhash'], provider: 0 });
        assert.equal((await payer.pay(await payments(harness, 1))).paid.length, 1, answer.name);
        const atBoth = faults.forge(answer, { methods: ['getLatestBlockhash'], provider: 1 });
        const { stored } = await payer.sign(await payments(harness, 1));
        assert.equal(stored.length, 0, answer.name);
        for (const end of [atOne, atBoth]) end();
      }
    },
  },
  {
    title: 'threats 42, 101: an account server that is 120 s behind hides nothing of the treasury’s balance',
    run: async (harness) => {
      const { faults, chain } = harness.server;
      const { network } = harness;
      chain.advance(400);
      const before = (await network.treasury())!.tokenMinor;
      const start = (await network.outflows((await network.outflows(null)).position)).position;
      const payer = makePayer(harness);
      const [order] = await payments(harness, 1);
      assert.equal((await payer.pay([order!])).paid.length, 1);
      const accounts = ['getMultipleAccounts', 'getAccountInfo'];
      const one = faults.lag(300, { provider: 0, methods: accounts });
      assert.equal((await network.treasury())!.tokenMinor, before - order!.amountMinor);
      assert.equal((await network.outflows(start)).unlistedMinor, 0n);
      one();
      // If both providers lag, the adapter shows no balance instead of an old balance.
      const both = faults.lag(300, { methods: accounts });
      await assert.rejects((await harness.restarted()).treasury());
      await assert.rejects(network.outflows(start));
      both();
      harness.passMs(120_000);
      // The lists of both providers omit the payment, so the balance shows the exact difference.
      const end = loseListed(harness.server, ...(await hashesSince(harness, start)));
      assert.equal((await network.outflows(start)).unlistedMinor, -order!.amountMinor);
      end();
      assert.equal((await network.outflows(start)).unlistedMinor, 0n);
    },
  },
  {
    title:
      'threat 46: a sweep of an address that both providers show as empty ends only if the chain shows it empty',
    run: async (harness) => {
      const { server } = harness;
      const payer = makePayer(harness);
      server.chain.advance(120);
      const coming = arriving(harness);
      const watcher = await watcherOf(harness);
      const [sighting] = await watcher.until([await harness.deposit(coming.id, coming.deposit)]);
      await untilConfirmed(harness, sighting!);
      const { address: to, amountMinor } = coming.deposit;
      const order = () => payment(harness, { to, amountMinor, from: coming.transactionId });
      const behind = server.faults.forge(
        ([, config], honest) => {
          const { value, ...rest } = honest as { readonly value: readonly unknown[] };
          const { commitment } = config as { readonly commitment?: string };
          return commitment === 'confirmed' ? { ...rest, value: value.map(() => null) } : honest;
        },
        { methods: ['getMultipleAccounts'] },
      );
      const [send] = (await payer.sign([order()])).stored;
      assert.equal(readPayload(send!.versions[0]!).payments[0]!.change, '0');
      behind();
      await payer.broadcast(send!);
      const status = await payer.settle(send!);
      assert.ok(status.kind === 'failed');
      assert.deepEqual(
        [status.reason, status.culprits, status.cost!.feeMinor > 0n],
        ['there are tokens at the deposit address', [0], true],
      );
      assert.equal(await harness.received(to), amountMinor);
      assert.equal((await payer.pay([order()])).paid.length, 1);
      assert.equal(await harness.received(to), 0n);
      assert.equal((await payer.pay([order()])).paid.length, 1);
    },
  },
  {
    title:
      'threat 49: an outflow of the treasury is shown as soon as it is confirmed, long before it is final',
    run: async (harness) => {
      const { position } = await harness.network.outflows(null);
      const hash = await harness.steal!(7_700n);
      for (let slot = 0; slot < 3; slot++) await harness.pass();
      const { outflows, position: next } = await harness.network.outflows(position);
      assert.deepEqual([outflows.map(({ txHash }) => txHash), next], [[hash], position]);
    },
  },
  {
    title: 'threat 53: a deposit to an address that is no longer watched is seen and swept',
    run: async (harness) => {
      const coming = arriving(harness);
      const { address: to, amountMinor } = coming.deposit;
      const watch = {
        recent: async () => [],
        older: async () => ({ addresses: [to], next: null }),
        ours: harness.watch.ours,
      };
      const watcher = await watcherOf({ ...harness, watch });
      const hash = await harness.deposit(coming.id, coming.deposit);
      await harness.pass();
      harness.passMs(31_000);
      const [sighting] = await watcher.until([hash]);
      await untilConfirmed(harness, sighting!);
      const { tokenMinor } = (await harness.network.treasury())!;
      const sweep = payment(harness, { to, amountMinor, from: coming.transactionId });
      assert.equal((await makePayer(harness).pay([sweep])).paid.length, 1);
      assert.equal((await harness.network.treasury())!.tokenMinor - tokenMinor, amountMinor);
    },
  },
  {
    title: 'threat 52: a deposit that a transaction list omits for a while is not skipped',
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const first = arriving(harness);
      const [sighting] = await watcher.until([await harness.deposit(first.id, first.deposit)]);
      await untilConfirmed(harness, sighting!);
      await watcher.poll();
      const [second, third] = [first, first].map(({ transactionId }) => arriving(harness, transactionId));
      const left = await harness.deposit(second!.id, second!.deposit);
      const end = harness.server.faults.forge(
        (_, honest) =>
          (honest as readonly { signature: string }[]).filter(({ signature }) => signature !== left),
        { methods: ['getSignaturesForAddress'] },
      );
      await harness.pass();
      const hash = await harness.deposit(third!.id, third!.deposit);
      for (let look = 0; look < 12; look++) {
        await harness.pass();
        await watcher.poll();
      }
      end();
      await watcher.until([left, hash]);
    },
  },
  {
    title: 'threat 44: an expired payment is signed again with a higher fee, up to the cap',
    run: async (harness) => {
      const payer = makePayer(harness);
      const prices: string[] = [];
      for (let time = 0; time < 8; time++) {
        const [send] = (await payer.sign(await payments(harness, 1))).stored;
        prices.push(readPayload(send!.versions[0]!).price!);
        await harness.untilExpired(send!.versions[0]!);
        assert.equal((await payer.settle(send!)).kind, 'dead');
      }
      const raised = ['1000', '2000', '4000', '8000', '16000', '32000', '50000', '50000'];
      assert.deepEqual(prices, raised);
      const [send] = await payer.signAll(await payments(harness, 1));
      const status = await payer.settle(send!);
      assert.ok(status.kind === 'final');
      // The compute units are for the memo, a transfer and the opening of an account.
      assert.equal(status.cost!.feeMinor, 5_000n + (140_000n * 50_000n) / 1_000_000n);
    },
  },
];

function loseListed({ faults }: SolanaServer, ...lost: readonly string[]): () => void {
  return faults.forge(
    (_, honest) =>
      (honest as readonly { signature: string }[]).filter(({ signature }) => !lost.includes(signature)),
    { methods: ['getSignaturesForAddress'] },
  );
}

async function hashesSince({ network }: SolanaHarness, position: string): Promise<readonly string[]> {
  return (await network.outflows(position)).outflows.map(({ txHash }) => txHash);
}

/**
 * Makes servers respond as if they were started from a snapshot. They have the newest slot and older slots, but no slots
 * between them.
 */
function loseStatuses({ faults }: SolanaServer, [from, to]: readonly [number, number]): () => void {
  return faults.forge(
    (_, honest) => {
      const { value, ...rest } = honest as { readonly value: readonly ({ readonly slot: number } | null)[] };
      const isLost = (slot: number) => slot >= from && slot <= to;
      return { ...rest, value: value.map((each) => (each !== null && isLost(each.slot) ? null : each)) };
    },
    { methods: ['getSignatureStatuses'] },
  );
}
