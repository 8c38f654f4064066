// The tests that every bank rail must pass. A harness provides a rail, its clock and its troubles; a case that it does not
// support is skipped. Every case has a separate harness.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Case } from './case.ts';
import type { BankHarness } from './harness.ts';
import { PAYOUTS } from './payouts.ts';
import { STATEMENTS } from './statement.ts';
import { TWO_RAILS } from './two-rails.ts';

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
