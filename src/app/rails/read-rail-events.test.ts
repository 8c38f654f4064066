// Tests that the service reports a rail that has credits but sends no events. It does not report a rail with few credits, or
// with some events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rail } from '../../ports/rails/rail.ts';
import { readRailEvents } from './read-rail-events.ts';

const NOW = 1_000 * 86_400_000;
const rail = (name: string, sends: boolean) => ({ name, ...(sends && { events: {} }) }) as unknown as Rail;

async function silent(newestAtMs: number | null, credits: number) {
  const readings = await readRailEvents({
    clock: { now: () => NOW },
    bankRails: {
      find: () => undefined,
      enabled: (mode) => (mode === 'live' ? [rail('one', true), rail('two', false)] : []),
    },
    railEvents: {
      figures: async () => ({ open: 1, inReview: 2, reviewSinceMs: 5, newestAtMs }),
      countCredits: async (_of, sinceMs) => (sinceMs === NOW - 86_400_000 ? credits : 0),
    },
  });
  assert.deepEqual(
    readings.map(({ rail: name, open, inReview }) => [name, open, inReview]),
    [['one', 1, 2]],
    'only rails that send events are looked at',
  );
  return readings[0]!.isSilent;
}

test('a rail counts as silent after three credits in a day without an event', async () => {
  assert.equal(await silent(null, 3), true);
  assert.equal(await silent(NOW - 86_400_001, 100), true);
  assert.equal(await silent(NOW - 86_400_000, 100), false);
  assert.equal(await silent(null, 2), false);
});
