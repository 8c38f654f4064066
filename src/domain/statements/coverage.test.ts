// Tests what one file proves about its days: gaps in its running balance in both row orders, and the days that the file covers
// completely.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Coverage } from './coverage.ts';
import type { ParsedRow, StatementItem } from './row.ts';

const TODAY = '2026-06-01';
let lines = 0;

function row(day: string, amountMinor: bigint, balanceMinor: bigint | null = null): StatementItem {
  const written: ParsedRow = {
    ...{ line: ++lines, column: 1, day, valueDay: null, atMs: null, amountMinor, isMinus: amountMinor < 0n },
    ...{
      lacks: null,
      narration: '',
      balanceMinor,
      reference: null,
      payer: null,
      mark: null,
      isPending: false,
    },
  };
  return { kind: 'row', row: written };
}

function balance(what: 'opening' | 'closing', amountMinor: bigint): StatementItem {
  return { kind: 'balance', what, day: null, amountMinor, isWhole: true, line: ++lines };
}

function covered(...items: readonly StatementItem[]) {
  const coverage = new Coverage();
  for (const item of items) coverage.add(item);
  return { ...coverage.finish('everything', TODAY), isNewestFirst: coverage.isNewestFirst };
}

test('a gap is reported at the row with the wrong balance, with the expected balance and the balance in the row', () => {
  const later = row('2026-05-05', 10n, 120n);
  const { gaps, gapCount, isNewestFirst } = covered(row('2026-05-04', 100n, 100n), later);
  const { line } = (later as Extract<StatementItem, { kind: 'row' }>).row;
  assert.deepEqual(gaps, [{ line, day: '2026-05-05', expectedMinor: 110n, foundMinor: 120n }]);
  assert.deepEqual([gapCount, isNewestFirst], [1, false]);
});

test('in a file with the newest row first, a gap is reported at the earlier row, with the balance of the later row', () => {
  const earlier = row('2026-05-04', 5n, 80n);
  const { gaps, gapCount, isNewestFirst } = covered(row('2026-05-05', 10n, 100n), earlier);
  const { line } = (earlier as Extract<StatementItem, { kind: 'row' }>).row;
  assert.deepEqual(gaps, [{ line, day: '2026-05-04', expectedMinor: 90n, foundMinor: 100n }]);
  assert.deepEqual([gapCount, isNewestFirst], [1, true]);
  const whole = covered(row('2026-05-05', 10n, 90n), row('2026-05-04', 5n, 80n));
  assert.deepEqual(whole.gaps, []);
});

test('within one day, the balances show which row is the newest', () => {
  const [first, second] = [row('2026-05-04', 10n, 90n), row('2026-05-04', 5n, 80n)];
  assert.equal(covered(first, second).isNewestFirst, true);
  assert.equal(covered(second, first).isNewestFirst, false);
});

test('a day without rows is covered between two days of one statement, but not between statements that do not follow each other', () => {
  const wholeDays = (...items: readonly StatementItem[]) =>
    covered(...items)
      .days.filter(({ isWhole }) => isWhole)
      .map(({ day }) => day);
  const rows = [row('2026-05-04', 10n), row('2026-05-06', 20n)] as const;
  const all = ['2026-05-04', '2026-05-05', '2026-05-06'];
  assert.deepEqual(wholeDays(balance('opening', 100n), ...rows, balance('closing', 130n)), all);
  // An opening balance without a row after it starts no separate statement.
  assert.deepEqual(
    wholeDays(balance('opening', 7n), balance('opening', 100n), ...rows, balance('closing', 130n)),
    all,
  );
  const apart = [balance('opening', 100n), rows[0], balance('closing', 110n)];
  assert.deepEqual(wholeDays(...apart, balance('opening', 500n), rows[1], balance('closing', 520n)), [
    '2026-05-04',
    '2026-05-06',
  ]);
});
