// Tests the rail checks on a real database. One process pauses an unhealthy rail once and resumes it when the rail responds
// again. It never resumes a rail that people paused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/patience.ts';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import { NO_MONEY, type ScriptedRail, scriptedRail } from '../../../test/support/rails/scripted-rail.ts';
import { applySetting } from '../../adapters/postgres/back-office/setting-writes.ts';
import { makeRailStore } from '../../adapters/postgres/rails/rail-store.ts';
import { makeBanks } from '../../adapters/rails/registry.ts';
import { checkRail, listRailsToCheck, registerRails } from '../../app/rails/check-rails.ts';
import { readRails } from '../../app/rails/read-rails.ts';
import type { Series } from '../../ports/instruments.ts';
import type { RailBalance } from '../../ports/rails/rail-payouts.ts';
import { startRailChecks, startRailReport } from './watch-rails.ts';

const rig = await openRailRig();
const railDesk = makeRailStore(rig.database);
const clock = { now: rig.now };
let balance: RailBalance = { kind: 'known', availableMinor: 5_000_00n };
const silent = { kind: 'unknown', reason: 'time-out' } as const;
let isAnswering = true;
const a: ScriptedRail = scriptedRail('a', Array(6).fill(NO_MONEY), {
  balance: async () => balance,
  ask: async (reference) => {
    if (!isAnswering) return silent;
    return a.paid.has(reference) ? { kind: 'paid', sessionId: null, chargeMinor: 0n } : { kind: 'not_found' };
  },
});
const b = scriptedRail('b');
await rig.fund([a, b]);
const banks = makeBanks({ live: [], test: [a, b].map(({ rail }: ScriptedRail) => rail) });
const deps = { banks, railDesk, clock, store: rig.deps.store };
await registerRails(deps);

const checkAll = async () =>
  (await Promise.all(listRailsToCheck(banks).map((each) => checkRail(deps, each)))).flatMap(
    (turn) => turn ?? [],
  );
const check = async () => {
  rig.pass(30_001);
  await registerRails(deps);
  return checkAll();
};
const reading = async (name: string) => (await readRails(deps)).find(({ rail }) => rail === name)!;
const log = () =>
  rig.rows<{ actor: string; action: string }>(
    `select actor, action from audit_log where subject = 'rail test a' order by no`,
  );

test('a rail that responds is healthy, and its account balance is stored with its age', async () => {
  assert.deepEqual(await check(), []);
  const { state, balance: known, probeFailure, successPercent } = await reading('a');
  assert.deepEqual([state, known?.minor, probeFailure, successPercent], ['in_use', 5_000_00n, null, null]);
  assert.equal(rig.now() - known!.atMs, 0);
});

test('only one of several concurrent processes sends the probe', async () => {
  rig.pass(30_001);
  const before = await railDesk.list();
  const turns = await Promise.all([checkAll(), checkAll(), checkAll()]);
  assert.deepEqual(turns.flat(), []);
  for (const [index, { goodProbes }] of (await railDesk.list()).entries())
    assert.equal(goodProbes, before[index]!.goodProbes + 1);
});

test('a missing balance does not pause a rail, even if the rail cannot reach its own bank', async () => {
  balance = { kind: 'unknown', reason: 'status 503' };
  for (let probe = 0; probe < 5; probe++) assert.deepEqual(await check(), []);
  const { state, probeFailure, balance: known } = await reading('a');
  assert.deepEqual(
    [state, probeFailure, known?.minor],
    ['in_use', null, 5_000_00n],
    'the last one is kept, with its age',
  );
  assert.ok(rig.now() - known!.atMs > 120_000);
});

test('failed probes pause a rail once, with an audit log entry; successful probes resume it later', async () => {
  isAnswering = false;
  assert.deepEqual([await check(), await check()], [[], []]);
  const [paused] = await check();
  assert.match(
    paused?.paused ?? '',
    /3 probes in a row failed: time-out; the balance cannot be read either: status 503/,
  );
  assert.deepEqual(await check(), [], 'it is paused already');
  assert.equal((await reading('a')).state, 'paused_by_health');
  isAnswering = true;
  balance = { kind: 'known', availableMinor: 1n };
  const resumedAfter: number[] = [];
  for (let probe = 1; probe <= 6 && resumedAfter.length === 0; probe++)
    if ((await check()).some((turn) => turn.paused === null)) resumedAfter.push(probe);
  assert.deepEqual(resumedAfter, [3]);
  assert.equal((await reading('a')).state, 'in_use');
  assert.deepEqual(await log(), [
    { actor: 'service:rails', action: 'rail.paused' },
    { actor: 'service:rails', action: 'rail.resumed' },
  ]);
});

test('payouts that fail because of the rail pause it, and the next payout goes to the other rail at once', async () => {
  const process = rig.process([a, b]);
  const sells = [];
  for (let count = 0; count < 5; count++) sells.push(await rig.depositedSell());
  await process.run();
  await rig.makeSure(process);
  assert.deepEqual([a.given.length, b.paid.size], [5, 5]);
  const { figures, successPercent } = await reading('a');
  assert.deepEqual([figures.failed, figures.landed, successPercent], [5, 0, 0]);
  assert.equal((await reading('b')).figures.landed, 5);
  const [turn] = await check();
  assert.match(turn?.paused ?? '', /^5 of 5 payouts in 15 minutes failed/);
  sells.push(await rig.depositedSell());
  await process.run();
  assert.equal(a.given.length, 5, 'a paused rail is not even tried');
  assert.deepEqual((await rig.payoutOf(sells.at(-1)!)).story, ['b landed']);
});

test('the second pause of a rail is longer, and its earlier failures do not count again', async () => {
  const { resumesNotBeforeMs, pauses } = await reading('a');
  assert.equal(resumesNotBeforeMs! - pauses[0]!.sinceMs, 4 * 60_000);
  const turns = [];
  for (let probe = 0; probe < 12; probe++) turns.push(...(await check()));
  assert.deepEqual(turns, [{ mode: 'test', rail: 'a', paused: null }]);
});

test('only people can resume a rail that people paused, and the result of an earlier probe is not written', async () => {
  const doing = { actor: 'per_ada', atMs: rig.now() };
  const named = { mode: 'test', rail: 'a', reason: 'the bank called' } as const;
  assert.equal(await applySetting(rig.database, { setting: 'rail_paused', ...named }, doing), 'done');
  for (let probe = 0; probe < 10; probe++) assert.deepEqual(await check(), []);
  assert.equal((await reading('a')).state, 'paused_by_people');
  rig.pass(30_001);
  const leased = (await railDesk.lease({ mode: 'test', rail: 'a' }, rig.now(), 60_000))!;
  assert.equal(await applySetting(rig.database, { setting: 'rail_resumed', ...named }, doing), 'done');
  const { stored, fence } = leased;
  const saved = await railDesk.save({
    ...{ mode: 'test', rail: 'a', fence, atMs: rig.now(), dueAtMs: rig.now(), next: stored },
    ...{ probeFailure: 'x', balanceMinor: null, pause: 'late', resumed: false },
  });
  assert.equal(saved, false);
  assert.equal((await reading('a')).state, 'in_use');
});

test('a rail that no process runs any more is shown as not running', async () => {
  rig.pass(6 * 60_000);
  await registerRails({ ...deps, banks: makeBanks({ live: [], test: [b.rail] }) });
  assert.deepEqual([(await reading('a')).state, (await reading('b')).state], ['not_running', 'in_use']);
});

test('metrics show each rail, and omit unknown values', async () => {
  const gauges = new Map<string, readonly Series<string>[]>();
  const gauge = (name: string) => (series: readonly Series<string>[]) => void gauges.set(name, series);
  const onError = (error: Error) => assert.fail(error);
  const instruments = { gauge, totals: gauge, counter: () => () => undefined };
  const loop = startRailReport({ ...deps, instruments, onError }, 1);
  await until('it is reported', () => gauges.has('sliproad_rail_cap_kobo'), { everyMs: 5 });
  await loop.stop();
  const of = (name: string) => gauges.get(name)!.map(({ labels, value }) => `${labels.rail} ${value}`);
  assert.deepEqual(of('sliproad_rail_paused'), ['a 0', 'b 0']);
  assert.deepEqual(of('sliproad_rail_balance_kobo'), ['a 1']);
  assert.deepEqual(of('sliproad_rail_cap_kobo'), []);
});

test('a rail that hangs does not delay the probes and pauses of other rails', async (t) => {
  const hanging = Promise.withResolvers<RailBalance>();
  const rails = [
    scriptedRail('hangs', [], { balance: () => hanging.promise }),
    scriptedRail('c', [], { balance: async () => silent, ask: async () => silent }),
  ];
  const paused: string[] = [];
  const loop = startRailChecks(
    {
      ...deps,
      banks: makeBanks({ live: [], test: rails.map(({ rail }) => rail) }),
      clock: {
        now: () => {
          rig.pass(30_001);
          return rig.now();
        },
      },
      onPaused: (_, { rail }) => void paused.push(`${rail}`),
      onResumed: () => undefined,
      onError: (error) => assert.fail(error),
    },
    1,
  );
  t.after(async () => {
    hanging.resolve(balance);
    await loop.stop();
  });
  await until('the silent rail is paused', () => paused.length > 0, { everyMs: 5 });
  assert.deepEqual(paused, ['c']);
});
