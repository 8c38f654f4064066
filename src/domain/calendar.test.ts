// Threat 63: the calendar date in Lagos, at any instant and in any order of asking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lagosDate } from './calendar.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** The same by arithmetic alone: Lagos is an hour ahead of UTC, all year. */
function byArithmetic(timeMs: number): string {
  const date = new Date(timeMs + 3_600_000);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

test('threat 63: the day changes at midnight in Lagos, not in UTC', () => {
  for (const [at, date] of [
    ['2026-11-14T22:59:59.999Z', 'November 14, 2026'],
    ['2026-11-14T23:00:00.000Z', 'November 15, 2026'],
    ['2026-11-15T00:00:00.000Z', 'November 15, 2026'],
    ['2026-11-15T22:59:59.999Z', 'November 15, 2026'],
    ['2026-12-31T23:00:00.000Z', 'January 1, 2027'],
    ['2028-02-28T23:00:00.000Z', 'February 29, 2028'],
    ['2027-02-28T23:00:00.000Z', 'March 1, 2027'],
    // Nigeria keeps no summer time.
    ['2026-06-30T22:59:59.999Z', 'June 30, 2026'],
    ['2026-06-30T23:00:00.000Z', 'July 1, 2026'],
  ] as const) {
    assert.equal(lagosDate(Date.parse(at)), date);
  }
});

test('threat 63: it is right for every instant, whatever was asked before', () => {
  const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(fc.array(instant), (instants) => {
      for (const each of instants) assert.equal(lagosDate(each), byArithmetic(each));
    }),
  );
  const midnight = Date.parse('2026-11-14T23:00:00Z');
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 5 }), (offset) => {
      assert.equal(lagosDate(midnight + offset), byArithmetic(midnight + offset));
    }),
  );
});
