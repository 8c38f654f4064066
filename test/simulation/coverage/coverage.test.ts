// Tests that the seeds reach everything that the code can do. Seeds must reach every pair of a state and an event, and every
// branch of src/domain and src/app; excuses.txt excuses others with a reason. The tests also prove that unreached places are
// detected. COVERAGE_SEEDS increases the number of seeds in the first run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Excuse, excusesText, readExcuses } from './excuses.ts';
import { complaints, excusesFor, type Reached, reachedBy, targetsOf } from './judge.ts';
import { knownPairs } from './pairs.ts';
import { COVERAGE_FROM, COVERAGE_SEEDS } from './report.ts';
import { tallySeeds } from './run.ts';
import { textOf } from './source.ts';
import { addSeed, addTally, emptyTally } from './tally.ts';

const FIRST_SEEDS = Number(process.env.COVERAGE_SEEDS ?? 400);
const MORE_SEEDS = 100;

test(`${FIRST_SEEDS} seeds, or up to ${COVERAGE_SEEDS}, reach every state, event and branch that is not excused`, async () => {
  const tally = await tallySeeds(COVERAGE_FROM, FIRST_SEEDS, { exact: false });
  // After a change that shifts the random numbers, the run may need more seeds to reach rare places.
  while (tally.seeds < COVERAGE_SEEDS && complaints(reachedBy(tally), readExcuses()).length > 0)
    addTally(tally, await tallySeeds(COVERAGE_FROM + tally.seeds, MORE_SEEDS, { exact: false }));
  const reached = reachedBy(tally);
  assert.ok(reached.seeds >= FIRST_SEEDS);
  assert.deepEqual(reached.broken, [], 'npm run simulate -- --seeds 1 --from SEED');
  const names = targetsOf(reached).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, 'every pair and place has a name of its own');
  assert.deepEqual(
    complaints(reached, readExcuses()),
    [],
    'let the seeds draw it, or `npm run simulate -- --coverage --write` and give the reason in excuses.txt',
  );
});

function seen(pairs: Iterable<string>, ...looks: readonly Parameters<typeof addSeed>[1][]): Reached {
  const tally = emptyTally();
  for (let seed = 0; seed < 10; seed++)
    addSeed(tally, looks[seed % Math.max(1, looks.length)] ?? new Map(), pairs);
  return reachedBy(tally);
}

function about(reached: Reached, text: string, excuses: ReadonlyMap<string, Excuse> = new Map()) {
  return complaints(reached, excuses).filter((line) => line.includes(text));
}

test('a pair that no seed reaches is reported; a pair that is reached or excused is not', () => {
  const pair = 'buy: paid → sending';
  const excused = new Map([[pair, { kind: 'never', reason: 'because' }]] as const);
  assert.deepEqual(about(seen([]), pair), [`not reached, and not excused: ${pair}`]);
  assert.deepEqual(about(seen([pair]), pair), []);
  assert.deepEqual(about(seen([]), pair, excused), []);
});

test('an excuse that is not needed, has no reason or matches nothing is reported', () => {
  const pair = 'buy: paid → sending';
  const excused = (name: string, kind: Excuse['kind'], reason: string) => new Map([[name, { kind, reason }]]);
  assert.match(about(seen([pair]), pair, excused(pair, 'never', 'because'))[0]!, /and 10 seeds reach it/);
  assert.deepEqual(about(seen([pair]), pair, excused(pair, 'rare', 'because')), []);
  for (const reason of ['', '?'])
    assert.match(about(seen([]), pair, excused(pair, 'never', reason))[0]!, /without a reason/);
  for (const gone of [
    'buy: paid → gone',
    'src/app/gone.ts',
    'src/app/engine/wallet-locks.ts makeWalletLocks | ▸no such line',
  ])
    assert.match(about(seen([]), gone, excused(gone, 'never', 'because'))[0]!, /there is no such thing/);
});

test('a transition that the tables do not contain is reported', () => {
  assert.match(
    about(seen(['credit: reversed → matched']), 'reversed → matched')[0]!,
    /pairs.ts does not know/,
  );
});

test('every table contains each pair once', () => {
  assert.equal(new Set(knownPairs()).size, knownPairs().length);
});

const FILE = 'src/app/engine/wallet-locks.ts';
const LINE = textOf(FILE).split('\n').at(-3)!.trim();
const whole = { place: '0-9999', name: '', pattern: '0-9999-1' };

test('for each branch, the seeds that reached it are counted, and its name has its function and line', () => {
  const taken = new Map([[FILE, [whole, { place: '300-700', name: 'f', pattern: '300-700-1 400-500-1' }]]]);
  const left = new Map([[FILE, [whole, { place: '300-700', name: 'f', pattern: '300-700-1 400-500-0' }]]]);
  const branchOf = (reached: Reached) =>
    reached.places.find((place) => place.file === FILE && place.kind === 'branch')!;
  assert.equal(branchOf(seen([], taken, left)).seeds, 5);
  const never = seen([], left);
  const { name, seeds } = branchOf(never);
  assert.equal(seeds, 0);
  assert.match(name, /^src\/app\/engine\/wallet-locks\.ts f \| .*▸/);
  assert.deepEqual(about(never, name), [`not reached, and not excused: ${name}`]);
  const rarely = new Map([[`${FILE} f`, { kind: 'rare', reason: 'seldom' }]] as const);
  assert.deepEqual(about(never, name, rarely), []);
});

test('a function that no seed calls counts as one place, and so does a file that is never loaded', () => {
  const uncalled = new Map([
    [
      FILE,
      [
        whole,
        { place: '300-700', name: 'f', pattern: '300-700-0' },
        { place: '400-500', name: '', pattern: '400-500-0' },
      ],
    ],
  ]);
  const places = seen([], uncalled).places.filter((place) => place.seeds === 0);
  assert.deepEqual(
    places.filter(({ file }) => file === FILE).map(({ name }) => name),
    [`${FILE} f`],
  );
  assert.ok(
    places.some(({ name, kind }) => name === 'src/app/back-office/manage-keys.ts' && kind === 'file'),
  );
});

test('a file or a branch that is now reached needs no excuse, even if it is no longer a separate place', () => {
  const called = new Map([
    [FILE, [whole, { place: '300-700', name: 'makeWalletLocks', pattern: '300-700-1' }]],
  ]);
  const branch = `${FILE} makeWalletLocks | ▸${LINE}`;
  const excused = (name: string) => new Map<string, Excuse>([[name, { kind: 'never', reason: 'because' }]]);
  for (const name of [FILE, branch]) {
    assert.match(about(seen([], called), name, excused(name))[0]!, /there is no such thing/);
    assert.equal(excusesFor(seen([], called), excused(name)).has(name), false);
  }
  const uncalled = new Map([
    [FILE, [whole, { place: '300-700', name: 'makeWalletLocks', pattern: '300-700-0' }]],
  ]);
  assert.deepEqual(about(seen([], uncalled), branch, excused(branch)), []);
});

test('regenerated excuses keep their reasons, drop reached places, and mark new ones with a question mark', () => {
  const old = new Map<string, Excuse>([
    ['buy: paid → sending', { kind: 'never', reason: 'because' }],
    ['buy: paid → on_hold', { kind: 'never', reason: 'not any more' }],
  ]);
  const made = excusesFor(seen(['buy: paid → on_hold']), old);
  assert.deepEqual(made.get('buy: paid → sending'), { kind: 'never', reason: 'because' });
  assert.equal(made.has('buy: paid → on_hold'), false);
  assert.deepEqual(made.get('sell: deposited → paying_out'), { kind: 'never', reason: '?' });
  assert.deepEqual(new Map(readExcuses(excusesText(made))), new Map(made));
});

test('an unreadable list of excuses is refused', () => {
  assert.throws(() => readExcuses('  a name without a reason\n'), /line 1/);
  assert.throws(() => readExcuses('never: why\n  a\n\nrare: seldom\n  a\n'), /twice: a/);
});

const simulate = async (...args: readonly string[]) => {
  const file = path.join(import.meta.dirname, '..', 'simulate.ts');
  const options = { maxBuffer: 64 * 2 ** 20 };
  return (await promisify(execFile)(process.execPath, [file, '--coverage', ...args], options)).stdout;
};

test('the command prints what the seeds reach, with the same output each time, as text and as JSON', async () => {
  const seeds = ['--seeds', '2', '--from', '5'];
  const [one, other, json] = await Promise.all([
    simulate(...seeds),
    simulate(...seeds),
    simulate(...seeds, '--json'),
  ]);
  assert.equal(one, other);
  assert.match(one, /^ {5}2 {2}buy: paid → sending$/m);
  assert.match(
    one,
    /^src\/domain\/settlement\/sell\.ts: [0-9]+ of [0-9]+ functions, [0-9]+ of [0-9]+ branches$/m,
  );
  assert.match(one, /^only the HTTP sandbox calls it: .+\n {2}src\/app\/sandbox\/deposit-tokens\.ts:1$/m);
  const { from, seeds: count, pairs, places } = JSON.parse(json);
  assert.deepEqual([from, count, pairs.length > 200, places.length > 1_000], [5, 2, true, true]);
});
