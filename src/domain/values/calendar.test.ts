// Tests for threat 63: the calendar date in Lagos is correct for any instant and in any order of calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lagosDate, lagosDay, lagosMonth, parseInstant } from './calendar.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

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
    // Nigeria has no daylight saving time.
    ['2026-06-30T22:59:59.999Z', 'June 30, 2026'],
    ['2026-06-30T23:00:00.000Z', 'July 1, 2026'],
  ] as const) {
    assert.equal(lagosDate(Date.parse(at)), date);
  }
});

test('threat 63: the date is correct for every instant, in any order of calls', () => {
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

test('threat 63: day and month keys also change at midnight in Lagos', () => {
  for (const [at, day, month] of [
    ['2026-11-14T22:59:59.999Z', '2026-11-14', '2026-11'],
    ['2026-11-14T23:00:00.000Z', '2026-11-15', '2026-11'],
    ['2026-11-30T22:59:59.999Z', '2026-11-30', '2026-11'],
    ['2026-11-30T23:00:00.000Z', '2026-12-01', '2026-12'],
    ['2026-12-31T23:00:00.000Z', '2027-01-01', '2027-01'],
    ['2028-02-28T23:00:00.000Z', '2028-02-29', '2028-02'],
  ] as const) {
    assert.deepEqual([lagosDay(Date.parse(at)), lagosMonth(Date.parse(at))], [day, month]);
  }
});

test('an instant is RFC 3339 text or a day, and must exist in the calendar', () => {
  for (const [text, iso] of [
    ['2026-11-14T09:30:00Z', '2026-11-14T09:30:00.000Z'],
    ['2026-11-14T09:30:00.123+01:00', '2026-11-14T08:30:00.123Z'],
    ['2026-11-14', '2026-11-14T00:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ] as const) {
    assert.equal(new Date(parseInstant(text)!).toISOString(), iso);
  }
  for (const text of [
    ...['', 'now', '2026-02-30', '2026-02-29T00:00:00Z', '2026-11-14T09:30:00', '2026-11-14 09:30:00Z'],
    ...['2026-13-01', '2026-11-14T25:00:00Z', '1969-12-31T23:59:59Z', '14/11/2026', '20261114'],
  ]) {
    assert.equal(parseInstant(text), undefined, text);
  }
});
