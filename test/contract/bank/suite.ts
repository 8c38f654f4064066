// Contains the tests that every bank rail must pass. A harness provides a rail, its clock and its troubles, and every case has
// its own harness. The suite skips a case that the rail does not support.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPaidOnce, type Case, order, payoutsOf, statementOf } from './case.ts';
import type { BankHarness } from './harness.ts';
import { PAYOUTS } from './payouts.ts';
import { STATEMENTS } from './statement.ts';

// Defines the contract of two rails: the same reference on both rails is two payouts, and neither rail knows the payouts of the
// other rail.

const TWO_RAILS: readonly Case[] = [
  {
    title: 'two rails with the same references are independent',
    needs: ({ rail, another }) => rail.payouts !== null && another !== undefined,
    run: async (harness) => {
      const other = await harness.another!();
      try {
        const wanted = order(harness);
        const { reference } = wanted;
        await payoutsOf(harness).pay(wanted);
        await assertPaidOnce(harness, wanted);
        assert.deepEqual(await payoutsOf(other).ask(reference), { kind: 'not_found' });
        assert.deepEqual(await other.paid(reference), []);
        const elsewhere = { ...wanted, destination: other.account, amountMinor: wanted.amountMinor + 1n };
        await payoutsOf(other).pay(elsewhere);
        await assertPaidOnce(other, elsewhere);
        assert.deepEqual(await harness.paid(reference), [wanted.amountMinor]);
        if (harness.outside?.returnPayout === undefined || other.rail.statement === null) return;
        await harness.outside.returnPayout(reference);
        assert.deepEqual((await statementOf(other).read(null)).lines, []);
      } finally {
        await other.close();
      }
    },
  },
];

const DESCRIPTION: Case = {
  title: 'a rail has a name and intervals, and it pays or reports',
  needs: () => true,
  run: async ({ rail, restarted }) => {
    assert.match(rail.name, /^[a-z][a-z0-9-]{0,39}$/);
    assert.equal(restarted().name, rail.name);
    assert.ok(rail.payouts !== null || rail.statement !== null);
    for (const pace of Object.values(rail.pace)) assert.ok(Number.isSafeInteger(pace) && pace >= 0);
    assert.ok(rail.pace.askAfterMs > 0, 'a question that follows at once is asked in a circle');
  },
};

export function bankContract(name: string, makeHarness: () => Promise<BankHarness>): void {
  test(name, async (t) => {
    const first = await makeHarness();
    const cases = [DESCRIPTION, ...PAYOUTS, ...STATEMENTS, ...TWO_RAILS].filter(({ needs }) => needs(first));
    await first.close();
    for (const { title, run } of cases) {
      await t.test(title, async () => {
        const harness = await makeHarness();
        try {
          await run(harness);
        } finally {
          await harness.close();
        }
      });
    }
  });
}
