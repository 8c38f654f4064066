// Tests that the service compares each rail separately. A payment list that does not respond on one rail does not prevent the
// service from stopping another rail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/patience.ts';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import { scriptedRail } from '../../../test/support/rails/scripted-rail.ts';
import { makePayoutGuard } from '../../adapters/postgres/rails/payout-guard.ts';
import { makeRailStore } from '../../adapters/postgres/rails/rail-store.ts';
import { makeReconciliationStore } from '../../adapters/postgres/reconciliation/reconciliation-store.ts';
import { makeBanks } from '../../adapters/rails/registry.ts';
import { registerRails } from '../../app/rails/check-rails.ts';
import type { PayingRail } from '../../ports/rails/rail.ts';
import { startPayoutGuard } from './guard-payouts.ts';

const rig = await openRailRig();

test('while the payout list of one rail hangs, the other rail is compared repeatedly, and is paused after an unknown payout', async (t) => {
  const hanging = Promise.withResolvers<never[]>();
  let reads = 0;
  const listing = (name: string, read: NonNullable<PayingRail['payoutList']>['read']): PayingRail => ({
    ...scriptedRail(name).rail,
    payoutList: { read },
  });
  const rails = [
    listing('hangs', () => hanging.promise),
    listing('pays', async (_, untilMs) => {
      const stranger = {
        id: '1',
        reference: null,
        amountMinor: 5n,
        accountNumber: null,
        standing: 'paid',
      } as const;
      return ++reads > 2 ? [{ ...stranger, atMs: untilMs }] : [];
    }),
  ];
  const banks = makeBanks({ live: [], test: rails });
  const clock = {
    now: () => {
      rig.pass(200_000);
      return rig.now();
    },
  };
  await registerRails({ banks, clock, railDesk: makeRailStore(rig.database) });
  const stopped: unknown[] = [];
  const guard = startPayoutGuard(
    {
      ...{ banks, clock, payoutGuard: makePayoutGuard(rig.database) },
      reconciliation: makeReconciliationStore(rig.database),
      onStopped: (_, { rail }) => void stopped.push(rail),
      onUnread: ({ rail, why }) => assert.fail(`${rail}: ${why}`),
      onError: (error) => assert.fail(error),
    },
    1,
  );
  t.after(async () => {
    hanging.resolve([]);
    await guard.stop();
  });
  await until('the other is stopped', () => stopped.length > 0, { everyMs: 5 });
  assert.deepEqual(stopped, ['pays']);
});
