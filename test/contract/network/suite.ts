// Contains the tests that every network adapter must pass. A harness provides a network, its clock and its troubles. Every case
// has its own harness and leaves nothing in progress. The suite skips a case that the network does not support.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCHES } from './batches.ts';
import type { Case, ContractHarness } from './case.ts';
import { LAG_CASES } from './lags.ts';
import { OBSERVER } from './observer.ts';
import { OBSTACLES } from './obstacles.ts';
import { OUTFLOWS } from './outflows.ts';
import { SENDS } from './sends.ts';
import { SWEEPS } from './sweeps.ts';
import { TROUBLES } from './troubles.ts';

const CASES: readonly Case[] = [
  ...SENDS,
  ...BATCHES,
  ...TROUBLES,
  ...LAG_CASES,
  ...OUTFLOWS,
  ...OBSTACLES,
  ...OBSERVER,
  ...SWEEPS,
];

export function networkContract(name: string, makeHarness: () => Promise<ContractHarness>): void {
  test(name, async (t) => {
    const first = await makeHarness();
    const cases = CASES.filter(({ needs }) => needs === undefined || needs(first));
    await t.test(
      'without faults all providers answer, each under a unique name that contains no key',
      async () => {
        const states = await first.network.providers();
        const names = states.map(({ name }) => name);
        assert.deepEqual(
          states.flatMap(({ problem }) => problem ?? []),
          [],
        );
        assert.equal(new Set(names).size, names.length);
        assert.doesNotMatch(names.join(), /[/@?]/);
      },
    );
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
