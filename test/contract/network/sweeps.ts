// Defines the part of a network's contract about sweeps. A sweep moves all tokens at a deposit address to the treasury and does
// not count as another deposit. An empty address is not a failure.
import assert from 'node:assert/strict';
import { assertReceived, type Case, type ContractHarness, payment, payments } from './case.ts';
import type { Stored } from './desk.ts';
import { makePayer } from './payer.ts';
import { arriving, untilConfirmed, type Watcher, watcherOf } from './watcher.ts';

type Arrived = ReturnType<typeof arriving>;

const sweeps = ({ network }: ContractHarness) => network.sweeps;

async function arrived(harness: ContractHarness, watcher: Watcher, transactionId?: string) {
  const coming = arriving(harness, transactionId);
  const [sighting] = await watcher.until([await harness.deposit(coming.id, coming.deposit)]);
  assert.equal((await untilConfirmed(harness, sighting!)).at(-1), 'final');
  return coming;
}

async function stocks(harness: ContractHarness) {
  const { tokenMinor } = (await harness.network.treasury())!;
  return { tokenMinor };
}

function sweepOf(harness: ContractHarness, { transactionId: from, deposit }: Arrived) {
  const { address: to, amountMinor } = deposit;
  return payment(harness, { to, from, amountMinor, about: from });
}

export const SWEEPS: readonly Case[] = [
  {
    title: 'a deposit at an address of another wallet waits: it is never reported as swept',
    needs: sweeps,
    run: async (harness) => {
      const { address: to } = harness.network.depositTarget('another customer');
      const strange = payment(harness, { to, from: 'mine', about: 'mine' });
      const { stored, waiting } = await makePayer(harness).sign([strange]);
      assert.deepEqual([stored, waiting.map(({ obstacle }) => obstacle)], [[], ['signing_refused']]);
    },
  },
  {
    title: 'a deposit is swept once, and again when more arrives; a sweep with nothing left is not a failure',
    needs: sweeps,
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const payer = makePayer(harness);
      const { tokenMinor } = await stocks(harness);
      const coming = await arrived(harness, watcher);
      const { transactionId, deposit } = coming;
      const sweep = () => payer.pay([sweepOf(harness, coming)]);
      assert.equal((await sweep()).paid.length, 1);
      assert.equal((await stocks(harness)).tokenMinor, tokenMinor + deposit.amountMinor);
      assert.equal((await sweep()).paid.length, 1);
      assert.equal((await stocks(harness)).tokenMinor, tokenMinor + deposit.amountMinor);
      await arrived(harness, watcher, transactionId);
      assert.equal((await sweep()).paid.length, 1);
      assert.equal((await stocks(harness)).tokenMinor, tokenMinor + 2n * deposit.amountMinor);
    },
  },
  {
    title: 'sweeps and payments signed together do not share a transaction, and a sweep is not a deposit',
    needs: sweeps,
    run: async (harness) => {
      const watcher = await watcherOf(harness);
      const payer = makePayer(harness);
      const { tokenMinor } = await stocks(harness);
      const targets = [await arrived(harness, watcher), await arrived(harness, watcher)];
      const sent = await payments(harness, 2);
      const brought = targets.map((each) => sweepOf(harness, each));
      const stored: Stored[] = await payer.signAll([sent[0]!, ...brought, sent[1]!]);
      for (const send of stored) {
        const kinds = new Set(send.payments.map(({ from }) => from !== null));
        assert.equal(kinds.size, 1);
        const status = await payer.settle(send);
        assert.ok(status.kind === 'final' && status.unpaid.length === 0);
      }
      await assertReceived(harness, sent);
      const total = (list: readonly { readonly amountMinor: bigint }[]) =>
        list.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      assert.equal((await stocks(harness)).tokenMinor, tokenMinor + total(brought) - total(sent));
      const last = arriving(harness);
      await watcher.until([await harness.deposit(last.id, last.deposit)]);
      for (const { versions } of stored) assert.deepEqual(watcher.of(versions[0]!.hash), []);
    },
  },
];
