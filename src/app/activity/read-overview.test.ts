import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DailyFigures, DayFigures } from '../../ports/activity.ts';
import { OVERVIEW_DAYS, readOverview } from './read-overview.ts';

const NOW = Date.parse('2026-11-14T23:30:00Z');
const reader = { key: { business: { id: 'biz_1' }, mode: 'test' as const } };
const day = (name: string, buys: number): DayFigures => ({
  ...{ day: name, buys, sells: 0, boughtMinor: 100n, soldMinor: 0n },
  ...{ completed: buys, open: 0, onHold: 0, failed: 0, refunded: 0, lapsed: 0 },
});
const waiting = {
  ...{ awaitingWallet: 0, awaitingTrustline: 0, onHold: 0, payoutFailed: 0 },
  ...{ endpointsDisabled: 0, deliveriesFailed: 0 },
};

function overviewOf(byDay: DailyFigures<DayFigures>, sinces: number[] = []) {
  const figures = {
    byDay: async (_: unknown, sinceMs: number) => {
      sinces.push(sinceMs);
      return byDay;
    },
    durations: async () => ({
      days: [{ day: '2026-11-15', completed: 2, p50Ms: 40, p95Ms: 90 }],
      whole: true,
    }),
    waiting: async () => waiting,
  };
  return readOverview({ figures, clock: { now: () => NOW } }, reader);
}

test('today is the day in Lagos, and the result has each of the last thirty days', async () => {
  const sinces: number[] = [];
  const overview = await overviewOf({ days: [day('2026-11-15', 3)], whole: true }, sinces);
  assert.equal(overview.days.length, OVERVIEW_DAYS);
  assert.deepEqual([overview.days[0]!.day, overview.today.day], ['2026-10-17', '2026-11-15']);
  assert.deepEqual([overview.days[0]!.buys, overview.today.buys, overview.todayMedianMs], [0, 3, 40]);
  assert.deepEqual(sinces, [Date.parse('2026-10-16T23:00:00Z')]);
  assert.deepEqual(overview.durations[0], { day: '2026-10-17', completed: 0, p50Ms: null, p95Ms: null });
});

test('when the counts are incomplete, days outside of the counted range are left out, not shown as empty', async () => {
  const overview = await overviewOf({ days: [day('2026-11-13', 9), day('2026-11-15', 3)], whole: false });
  assert.deepEqual(
    overview.days.map((each) => [each.day, each.buys]),
    [
      ['2026-11-13', 9],
      ['2026-11-14', 0],
      ['2026-11-15', 3],
    ],
  );
});
