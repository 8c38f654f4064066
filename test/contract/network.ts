// What every network adapter must do, as tests. A harness brings a network, its time and its troubles; a case that it
// cannot meet is left out. Every case has a harness of its own, and leaves nothing under way behind.
import { test } from 'node:test';
import { BATCHES } from './network-batches.ts';
import type { Case, ContractHarness } from './network-case.ts';
import { OBSERVER } from './network-observer.ts';
import { OBSTACLES } from './network-obstacles.ts';
import { SENDS } from './network-sends.ts';
import { SWEEPS } from './network-sweeps.ts';
import { TROUBLES } from './network-troubles.ts';

const CASES: readonly Case[] = [...SENDS, ...BATCHES, ...TROUBLES, ...OBSTACLES, ...OBSERVER, ...SWEEPS];

export function networkContract(name: string, makeHarness: () => Promise<ContractHarness>): void {
  test(name, async (t) => {
    const first = await makeHarness();
    const cases = CASES.filter(({ needs }) => needs === undefined || needs(first));
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
