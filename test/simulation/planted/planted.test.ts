// The simulation must catch every planted bug within the usual number of seeds, or within the number that the bug specifies.
// PLANTED_SEEDS raises the number of seeds. The test first tries the seed in known-seeds.json, which shows the bug fastest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUGS } from './bugs.ts';
import known from './known-seeds.json' with { type: 'json' };
import { runPlanted, USUAL_SEEDS } from './run-planted.ts';

const SEEDS = Number(process.env.PLANTED_SEEDS ?? USUAL_SEEDS);

test(`all ${BUGS.length} planted mistakes are caught`, async () => {
  assert.ok(BUGS.length >= 20);
  const names = BUGS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const results = await runPlanted(1, SEEDS, { known });
  const missed = results.filter(({ failure }) => failure === null).map(({ bug }) => bug.name);
  assert.deepEqual(missed, []);
  assert.equal(results.length, BUGS.length);
});
