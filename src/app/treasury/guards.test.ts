// Tests guards that do not complete. The outgoing movements that such a guard protects wait, and continue automatically.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mode } from '../../domain/values/mode.ts';
import type { GuardFacts } from '../../ports/operations/guards.ts';
import { isAssetHalted } from '../engine/deps.ts';
import { listGuardAttention } from '../operations/attention-items.ts';
import { makeGuards } from './guards.ts';

const MINUTES = 60_000;
const ASSETS = ['NGN', 'NGNC@Polygon', 'NGNC@Solana'] as const;

function stage() {
  let nowMs = 1_000;
  const guards = makeGuards({ clock: { now: () => nowMs } });
  const waits = (mode: Mode) => ASSETS.filter((asset) => guards.isUnwatched(mode, asset));
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { guards, waits, pass };
}

test('threat 113: a guard counts as blind after more than two minutes and three runs without completion, and one completed run ends this', () => {
  const { guards, waits, pass } = stage();
  const often = guards.guard({ name: 'often', everyMs: 10_000, stops: 'all' });
  const rare = guards.guard({ name: 'rare', everyMs: 60_000, stops: 'all' });
  rare.completed();
  pass(2 * MINUTES);
  assert.deepEqual(guards.blind(), [], 'exactly two minutes are not more');
  often.failed(new Error('BigInt(NaN)'));
  pass(1);
  assert.deepEqual(
    guards.blind().map(({ name, sinceMs, problem }) => [name, sinceMs, problem]),
    [['often', 1_000, 'BigInt(NaN)']],
  );
  assert.deepEqual([waits('live'), waits('test')], [ASSETS, ASSETS]);
  pass(MINUTES);
  assert.deepEqual(
    guards.blind().map(({ name, problem }) => [name, problem]),
    [
      ['often', 'BigInt(NaN)'],
      ['rare', null],
    ],
    'one that hangs says nothing, and is blind like one that throws',
  );
  often.completed();
  rare.completed();
  assert.deepEqual([guards.blind(), waits('live')], [[], []]);
});

test('threat 113: a guard that makes progress counts as working, no matter how long it takes', () => {
  const { guards, pass } = stage();
  const long = guards.guard({ name: 'long', everyMs: 10_000, stops: 'all' });
  for (let minute = 0; minute < 60; minute++) {
    pass(MINUTES);
    long.progressed();
  }
  assert.deepEqual(guards.blind(), []);
  pass(3 * MINUTES);
  assert.equal(guards.blind().length, 1);
});

test('threat 113: a blind guard stops only what it protects: its mode, its asset, only tokens, or nothing', () => {
  const facts = { everyMs: 10_000, name: 'a' } as const;
  const alone = (given: GuardFacts) => {
    const { guards, waits, pass } = stage();
    guards.guard(given);
    pass(3 * MINUTES);
    return { live: waits('live'), test: waits('test') };
  };
  const tokens = ASSETS.slice(1);
  assert.deepEqual(alone({ ...facts, stops: 'all' }), { live: ASSETS, test: ASSETS });
  assert.deepEqual(alone({ ...facts, stops: 'all', mode: 'live' }), { live: ASSETS, test: [] });
  assert.deepEqual(alone({ ...facts, stops: 'tokens' }), { live: tokens, test: tokens });
  assert.deepEqual(alone({ ...facts, stops: 'tokens', mode: 'test', asset: 'NGNC@Solana' }), {
    live: [],
    test: ['NGNC@Solana'],
  });
  assert.deepEqual(alone({ ...facts, stops: 'nothing' }), { live: [], test: [] });
});

test('threat 113: the attention page lists a blind guard as urgently as a halt', () => {
  const { guards, pass } = stage();
  guards.guard({ name: 'The check of the ledger', everyMs: 10_000, stops: 'all' }).failed(new Error('no'));
  const facts = {
    name: 'The watch',
    everyMs: 10_000,
    stops: 'tokens',
    mode: 'live',
    asset: ASSETS[1],
  } as const;
  guards.guard(facts);
  assert.deepEqual(listGuardAttention({ guards }, 'live'), []);
  pass(3 * MINUTES);
  const lines = listGuardAttention({ guards }, 'live');
  assert.deepEqual(
    lines.map(({ severity, title }) => [severity, title]),
    [
      ['critical', 'The check of the ledger does not complete'],
      ['critical', 'The watch does not complete (NGNC@Polygon)'],
    ],
  );
  assert.match(lines[0]!.what, /^It fails: no\. Outgoing money waits until the check completes again/);
  assert.match(lines[1]!.what, /^It does not answer\. Token sends wait/);
  assert.equal(listGuardAttention({ guards }, 'test').length, 1);
});

test('threat 113: an asset without a working guard counts as halted wherever money leaves', () => {
  const { guards, pass } = stage();
  const guard = guards.guard({ name: 'a', everyMs: 10_000, stops: 'all' });
  const deps = {
    catalogue: () => ({ halts: new Set() }) as never,
    isUnwatched: guards.isUnwatched,
  };
  const halted = () => isAssetHalted(deps, { mode: 'live', asset: 'NGN' });
  assert.equal(halted(), false);
  pass(3 * MINUTES);
  assert.equal(halted(), true);
  guard.completed();
  assert.equal(halted(), false);
});
