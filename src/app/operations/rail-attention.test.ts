// Tests the attention items about rails. Each sentence gives the time when its condition started.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RailPause } from '../../domain/rails/settings.ts';
import { listRailAttention } from './rail-attention.ts';

const NOW = Date.UTC(2026, 10, 14);
const SINCE = NOW - 60_000;
type Deps = Parameters<typeof listRailAttention>[0];

function world(pauses: readonly Partial<RailPause>[], seenAtMs = NOW): Deps {
  const rail = { mode: 'test', rail: 'first' };
  const health = { goodProbes: 0, badProbes: 0, pauses: 1, pausedAtMs: SINCE, judgedFromMs: 0 };
  const figures = { landed: 1, refused: 0, failed: 3, unknown: 0, underWay: 0, p50Ms: null, p95Ms: null };
  return {
    railDesk: {
      list: async () => [
        { ...rail, ...health, account: null, seenAtMs, probedAtMs: null, probeFailure: null, balance: null },
      ],
      settings: async () => ({
        ...{ routes: [], caps: [], doubts: [] },
        pauses: pauses.map((each) => ({ ...rail, reason: 'odd', sinceMs: SINCE, ...each })),
      }),
      guards: async () => [],
      figures: async () => figures,
      usedMinor: async () => 0n,
    },
    store: { balances: async (keys: readonly string[]) => new Map(keys.map((key) => [key, 1_000n])) },
    bankRails: { enabled: () => [] },
    railEvents: {},
    clock: { now: () => NOW },
  } as unknown as Deps;
}

const attention = async (deps: Deps) =>
  (await listRailAttention(deps, 'test')).map(({ title, what, sinceMs, severity }) => ({
    ...{ title, what, sinceMs, severity },
  }));

test('a rail in use is not listed; a paused rail is listed with the person, the reason and the time of the pause', async () => {
  assert.deepEqual(await attention(world([])), []);
  const since = { sinceMs: SINCE, severity: 'critical' };
  assert.deepEqual(await attention(world([{ byHealth: true, actor: 'service:health' }])), [
    {
      title: 'The rail first is unhealthy and gets no payouts',
      what: 'odd. 25 % of its recent payouts succeeded. It resumes when it answers again.',
      ...since,
    },
  ]);
  assert.deepEqual(await attention(world([{ byHealth: false, actor: 'per_ada' }])), [
    { title: 'The rail first is paused', what: 'odd', ...since },
  ]);
  assert.deepEqual(await attention(world([{ byHealth: false, actor: 'service:guard' }])), [
    { title: 'The rail first is stopped until someone resumes it', what: 'odd', ...since },
  ]);
});

test('a rail that no process has opened is listed without a time', async () => {
  const [gone, ...more] = await attention(world([], NOW - 3_600_000));
  assert.deepEqual([gone?.title, gone?.sinceMs], ['No running process has the rail first configured', null]);
  assert.deepEqual(more, []);
});
