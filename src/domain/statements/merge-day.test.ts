// Pieces of a day with running balances: which rows of a second file are new. Random files are in test/statements/overlaps.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DayRow, mergeDay } from './merge-day.ts';

/** Rows that lead from one balance to the next. */
function piece(...balances: readonly bigint[]): readonly DayRow[] {
  return balances.slice(1).map((balanceMinor, index) => {
    const amountMinor = balanceMinor - balances[index]!;
    const narration = `PAYMENT ${amountMinor}`;
    return { key: `${amountMinor} ${balanceMinor}`, amountMinor, balanceMinor, reference: null, narration };
  });
}
const PART = { isWhole: false, isOnePiece: true };
const added = (stored: readonly DayRow[], shown: readonly DayRow[]) => {
  const merged = mergeDay(stored, shown, PART);
  return merged.kind === 'merged' ? merged.add.map(({ index, ordinal }) => [index, ordinal]) : merged.kind;
};

test('a piece that continues the stored rows adds what comes after them, even rows that look like stored ones', () => {
  // The next file repeats the last stored row, and later has a row with the amount and balance of the second one.
  const stored = piece(100n, 150n, 120n, 170n, 140n);
  assert.deepEqual(added(stored, piece(170n, 140n, 150n, 120n)), [
    [1, 1],
    [2, 2],
  ]);
});

test('a piece before the stored rows adds what comes before them', () => {
  assert.deepEqual(added(piece(200n, 260n), piece(100n, 200n, 260n)), [[0, 1]]);
});

test('a piece that touches both ends of the stored rows is not placed at one of them: a row that is stored is not added', () => {
  // The first row of the file may be the last stored row, and its last row may be the first stored row.
  const stored = piece(100n, 150n, 100n, 130n);
  assert.deepEqual(added(stored, piece(100n, 130n, 100n, 150n)), [[1, 1]]);
});
