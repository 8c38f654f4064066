// Simulated seeds must keep every promise. The simulation must also be deterministic, produce every fault, and detect a bug.
// SIM_SEEDS sets the number of seeds, and SIM_FROM the first seed. Seeds 1 to 400 run in coverage/coverage.test.ts with the
// same requirement, and seeds that once broke a promise run in found-seeds.test.ts.
import assert from 'node:assert/strict';
import { type ExecFileException, execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { runSeeds } from './pool.ts';
import { fewest } from './report/shrink.ts';
import { runSeed } from './run-seed.ts';
import { FAULTS } from './world/faults.ts';

const SEEDS = Number(process.env.SIM_SEEDS ?? 12);
const FROM = Number(process.env.SIM_FROM ?? 808);
const SIMULATE = path.join(import.meta.dirname, 'simulate.ts');

const simulate = (args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 2 ** 20 };
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    execFile(process.execPath, [SIMULATE, ...args], options, ended);
  });

test(`${SEEDS} simulated seeds keep every promise`, async () => {
  const { seeds, transactions, faults, endings, broken } = await runSeeds(FROM, SEEDS);
  assert.deepEqual(broken, [], 'npm run simulate -- --seeds 1 --from SEED --trace');
  assert.equal(seeds, SEEDS);
  assert.ok(transactions >= 38 * SEEDS, 'every seed has its transactions, but for what a restore forgot');
  const missing = FAULTS.filter((fault) => (faults.get(fault) ?? 0) < SEEDS / 50);
  assert.deepEqual(missing, [], 'every fault is met');
  for (const ending of ['completed', 'on_hold', 'expired', 'refunded', 'cancelled'])
    for (const type of ['buy', 'sell'])
      assert.ok((endings.get(`${type} ${ending}`) ?? 0) > 0, `some ${type} ends ${ending}`);
});

test('a seed gives exactly the same output every time, wherever and whenever it runs', async () => {
  const args = ['--seeds', '1', '--from', '7', '--trace'];
  const [here, there] = await Promise.all([
    simulate(args, { TZ: 'Pacific/Auckland' }),
    simulate(args, { TZ: 'UTC', LANG: 'C' }),
  ]);
  assert.deepEqual([here.code, here.stderr], [0, '']);
  assert.ok(here.stdout === there.stdout && here.stdout.length > 10_000);
  const { lines } = await runSeed(7, { traced: true });
  assert.ok(here.stdout.startsWith(lines.join('\n')));
});

test('neither tracing nor earlier runs change the result', async () => {
  const quiet = await runSeed(11);
  const traced = await runSeed(11, { traced: true });
  assert.deepEqual([quiet.events, quiet.faults], [traced.events, traced.faults]);
});

test('for a broken promise the output has its seed, what broke, a smaller case that breaks it, and its history', async () => {
  const { code, stdout } = await simulate(['--plant', 'matched_credit_stays_open', '--seeds', '2']);
  assert.equal(code, 1);
  assert.match(stdout, /BROKEN seed \d+: .+/);
  const [, kept, all] = /with (\d+) of (\d+) customers/.exec(stdout) ?? [];
  assert.ok(Number(kept) < Number(all), 'customers are left out');
  assert.match(stdout, /the story of (txn|mov|crd)_/);
  assert.match(stdout, /ledger: credit_matched of \d+ for txn_/);
  assert.match(stdout, /npm run simulate -- --seeds 1 --from \d+ --trace/);
});

test('invalid flags are refused with the usage text', async () => {
  for (const args of [
    ['--seeds', '0'],
    ['--from', 'x'],
    ['--plant', 'no_such_mistake'],
    ['--sees', '1'],
    ['--json'],
    ['--coverage', '--trace'],
    ['--coverage', '--write', '--seeds', '9'],
  ]) {
    const { code, stderr } = await simulate(args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /npm run simulate --/);
  }
});

test('shrinking removes everything that is not needed', async () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const needed = [3, 50, 51];
  let asked = 0;
  const kept = await fewest(items, async (some) => {
    asked++;
    return needed.every((item) => some.includes(item));
  });
  assert.deepEqual(kept, needed);
  assert.ok(asked < 60, `${asked} questions`);
  assert.deepEqual(await fewest(items, async () => true), []);
});
