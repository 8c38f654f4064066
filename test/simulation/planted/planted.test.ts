// Every planted bug must be caught within the usual number of seeds, or the number that the bug specifies. PLANTED_SEEDS makes
// the search longer. The seed that catches a bug fastest (known-seeds.json) is tried first; the command knows only the seeds that
// a bug specifies.
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
