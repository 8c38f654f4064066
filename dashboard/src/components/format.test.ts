// Tests the readable format of amounts, times and ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ago,
  counted,
  differences,
  digits,
  duration,
  lagosClock,
  lagosTime,
  naira,
  shortened,
  shortNaira,
  timeLeft,
  tokens,
  words,
} from './format.ts';

test('amounts are grouped and have at least two decimals, without rounding', () => {
  assert.equal(naira(15000), '₦15,000.00');
  assert.equal(naira('15000.5'), '₦15,000.50');
  assert.equal(naira('-0.01'), '−₦0.01');
  assert.equal(naira('999999999999999999.99'), '₦999,999,999,999,999,999.99');
  assert.equal(naira('0'), '₦0.00');
  assert.equal(tokens('15000.0000000', 'NGNC'), '15,000.00 NGNC');
  assert.equal(tokens('0.0000001', 'NGNC'), '0.0000001 NGNC');
  assert.equal(digits('1000', 0), '1,000');
});

test('a count uses the singular or the plural of its noun', () => {
  assert.deepEqual(
    [0, 1, 2_000].map((count) => counted(count, 'row')),
    ['0 rows', '1 row', '2,000 rows'],
  );
  assert.equal(counted(2, 'day has', 'days have'), '2 days have');
});

test('axis labels are short numbers with k, M or B', () => {
  assert.deepEqual([0, 950, 1_500, 12_400_000, 3_000_000_000].map(shortNaira), [
    ...['₦0', '₦950', '₦1.5k', '₦12.4M', '₦3B'],
  ]);
});

test('threat 63: times are shown in Lagos time, with the zone', () => {
  assert.equal(lagosTime('2026-11-15T23:30:07Z'), '16 Nov 2026, 00:30:07 WAT');
  assert.equal(lagosClock('2026-11-15T23:30:07Z'), '00:30');
  const now = Date.parse('2026-11-16T12:00:00Z');
  assert.equal(ago('2026-11-16T11:59:58Z', now), 'just now');
  assert.equal(ago('2026-11-16T11:48:00Z', now), '12 min ago');
  assert.equal(ago('2026-11-16T15:00:00Z', now), 'in 3 h');
  assert.deepEqual([41, 60, 7_200, 180_000].map(duration), ['41 s', '1 min', '2 h', '2 d']);
});

test('the remaining time is shown in at most two units, and is undefined after the end time', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');
  const left = (seconds: number) => timeLeft(new Date(now + seconds * 1000).toISOString(), now);
  assert.deepEqual([0.4, 59, 581, 3_600, 11_520, 187_200].map(left), [
    ...['1 s', '59 s', '9 min 41 s', '1 h 0 min', '3 h 12 min', '2 d 4 h'],
  ]);
  assert.deepEqual([0, -1].map(left), [undefined, undefined]);
});

test('long ids are shortened in the middle, and short ids stay complete', () => {
  assert.equal(shortened('txn_01m7hp0apz8vrjbrb1am4etv3k'), 'txn_01m7hp…etv3k'.replace('etv3k', '4etv3k'));
  assert.equal(shortened('ref-1'), 'ref-1');
  assert.equal(words('awaiting_wallet'), 'Awaiting wallet');
});

test('differences: characters missing in the other text are marked, ignoring case', () => {
  const marked = (a: string, b: string) =>
    differences(a, b)
      .map(({ part, same }) => (same ? part : `[${part}]`))
      .join('');
  assert.equal(marked('ADAEZE OKAFOR', 'Adaeze Okafor'), 'ADAEZE OKAFOR');
  assert.equal(marked('Adaeze N Okafor', 'Adaeze Okafor'), 'Adaeze [N ]Okafor');
  assert.equal(marked('0123456789', '0123456780'), '012345678[9]');
  assert.equal(marked('', 'x'), '');
  assert.equal(marked('a'.repeat(300), 'b'), `[${'a'.repeat(300)}]`);
});
