// Contains contract cases that only Stellar has. Any account that has seen a transaction can wrap it in a fee bump, and then
// the transaction gets into a ledger with another hash.
import assert from 'node:assert/strict';
import { Keypair, Transaction, TransactionBuilder } from '@stellar/stellar-sdk';
import { LAG_SERVERS } from '../../../local-networks/lag.ts';
import type { RunningStellarLedger } from '../../../local-networks/stellar/server.ts';
import { assertReceived, passSome, payment, payments } from '../network/case.ts';
import { makePayer } from '../network/payer.ts';
import type { StellarHarness } from './stellar-network.ts';

export interface StellarCase {
  readonly title: string;
  run(harness: StellarHarness, server: RunningStellarLedger): Promise<void>;
}

const ALL_PATHS = ['status', 'height', 'account', 'history'] as const;

export const STELLAR_CASES: readonly StellarCase[] = [
  {
    title:
      'threat 42: a payment that another account wrapped in a fee bump is ours, even while its own path lags',
    run: async (harness, { ledger }) => {
      for (const servers of LAG_SERVERS) {
        const payer = makePayer(harness);
        const order = payment(harness, { to: await harness.wallet() });
        const [send] = (await payer.sign([order])).stored;
        const bytes = send!.versions[0]!;
        const stranger = Keypair.random();
        ledger.createAccounts([stranger]);
        const cleared = await harness.lag!({ paths: ['status'], providers: 'both', servers });
        const inner = new Transaction(JSON.parse(bytes.payload).xdr, ledger.passphrase);
        const bump = TransactionBuilder.buildFeeBumpTransaction(stranger, '1000', inner, ledger.passphrase);
        bump.sign(stranger);
        assert.equal(ledger.submit(bump.toXdr()).status, 'PENDING');
        await harness.pass();
        await harness.untilExpired(bytes);
        await passSome(harness, 2);
        assert.match((await payer.ask(send!)).kind, /^(pending|unknown|final)$/, servers);
        await cleared();
        const status = await payer.settle(send!);
        assert.ok(status.kind === 'final');
        assert.deepEqual([status.hash, status.cost?.feeMinor], [bytes.hash, 0n]);
        await assertReceived(harness, [order]);
      }
    },
  },
  {
    title: 'threat 46: a provider that stalls and accepts every payment delays none',
    run: async (harness, { faults, urls }) => {
      const orders = await payments(harness, 3);
      const cleared = await harness.lag!({ paths: ALL_PATHS, providers: 'one', servers: 'sticky' });
      const swallowed = faults.add({ kind: 'drop' }, { url: urls[0], on: 'submit' });
      const payer = makePayer(harness);
      for (const order of orders) {
        const [send] = (await payer.sign([order])).stored;
        await payer.broadcast(send!);
        await harness.pass();
        assert.equal((await payer.ask(send!)).kind, 'final');
      }
      assert.equal(swallowed.hits, orders.length);
      await assertReceived(harness, orders);
      await cleared();
      swallowed.clear();
    },
  },
];
