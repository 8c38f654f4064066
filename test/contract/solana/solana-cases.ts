// Cases of the contract that only this chain has: what providers of Solana do when they lose a part of their history, and
// what both of them may show while they are behind.
import assert from 'node:assert/strict';
import type { SolanaServer } from '../../../local-networks/solana/rpc/server.ts';
import { readPayload } from '../../../src/adapters/networks/solana/pay/envelope.ts';
import { payment, payments } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import { arriving, untilConfirmed, watcherOf } from '../network/watcher.ts';
import type { SolanaHarness } from './solana-network.ts';

interface SolanaCase {
  readonly title: string;
  readonly run: (harness: SolanaHarness) => Promise<void>;
}

export const SOLANA_CASES: readonly SolanaCase[] = [
  {
    title:
      'threat 42: what landed in a hole of the history of both providers is not dead, and is found later',
    run: async (harness) => {
      const { server } = harness;
      const payer = makePayer(harness);
      const [send] = await payer.signAll(await payments(harness, 1));
      const [bytes] = send!.versions;
      const signedAt = Number(readPayload(bytes!).slot);
      await harness.pass();
      assert.ok(server.chain.landed.find(bytes!.hash));
      await harness.untilExpired(bytes!);
      const holes = [
        [signedAt - 500, signedAt + 5],
        [signedAt - 5, signedAt + 500],
        [signedAt - 500, signedAt + 500],
      ] as const;
      for (const hole of holes) {
        const end = loseStatuses(server, hole);
        assert.equal((await payer.ask(send!)).kind, 'unknown');
        end();
      }
      assert.equal((await payer.settle(send!)).kind, 'final');
    },
  },
  {
    title: 'threat 46: a sweep of what both providers show as empty ends only where the chain shows it empty',
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
      const behind = server.faults.lag(100, { methods: ['getMultipleAccounts'] });
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
      // Now there is nothing, and the chain says so.
      assert.equal((await payer.pay([order()])).paid.length, 1);
    },
  },
  {
    title: 'threat 49: what leaves the treasury is shown as soon as it is confirmed, long before it is final',
    run: async (harness) => {
      const { position } = await harness.network.outflows(null);
      const hash = await harness.steal!(7_700n);
      for (let slot = 0; slot < 3; slot++) await harness.pass();
      const { outflows, position: next } = await harness.network.outflows(position);
      assert.deepEqual([outflows.map(({ txHash }) => txHash), next], [[hash], position]);
    },
  },
  {
    title: 'threat 53: a deposit to an address that is no longer watched is seen, and brought in',
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
    title: 'threat 52: a deposit that a list of transactions leaves out for a while is not passed over',
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
    title: 'threat 44: what expired is signed again for a higher fee, up to the cap',
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
      // The memo, a transfer and an account that is opened.
      assert.equal(status.cost!.feeMinor, 5_000n + (140_000n * 50_000n) / 1_000_000n);
    },
  },
];

/** As servers that were started from a snapshot: they are at the newest slot, know older ones, and nothing in between. */
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
