// Tests rows whose narration another file cut off: which rows are recognised as one row, and which stay two rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recogniseCutRows } from './cut-rows.ts';
import { type DayRow, mergeDay } from './merge-day.ts';

const row = (narration: string, more: Partial<DayRow> = {}): DayRow => ({
  ...{ key: `key of ${narration}`, amountMinor: 5_000n, balanceMinor: null, reference: null, narration },
  ...more,
});
const keysOf = ({ rows }: { readonly rows: readonly DayRow[] }) => rows.map(({ key }) => key);

test('a row that continues a stored narration, or that a stored narration continues, gets the key of the stored row', () => {
  for (const [stored, shown] of [
    ['NIPADA', 'NIPADAOBI'],
    ['NIPADAOBI', 'NIPADA'],
  ]) {
    const found = recogniseCutRows([row(stored!)], [row(shown!)]);
    assert.deepEqual([keysOf(found), found.doubtful], [[`key of ${stored}`], 1]);
  }
});

test('other rows stay two: another amount or balance, an equal narration, erased words, or an equal row on the other side', () => {
  const unchanged = (stored: readonly DayRow[], shown: readonly DayRow[]) => {
    const found = recogniseCutRows(stored, shown);
    assert.deepEqual([keysOf(found), found.doubtful], [shown.map(({ key }) => key), 0]);
  };
  unchanged([row('NIPADA')], [row('NIPADAOBI', { amountMinor: 5_001n })]);
  unchanged([row('NIPADA', { balanceMinor: 1n })], [row('NIPADAOBI', { balanceMinor: 2n })]);
  unchanged([row('NIPADA')], [row('NIPADA', { key: 'another session' })]);
  unchanged([row('')], [row('NIPADA')]);
  unchanged([row('NIPADA')], [row('NIPADA'), row('NIPADAOBI')]);
  unchanged([row('NIPADA'), row('NIPADAOBI')], [row('NIPADAOBI')]);
  unchanged([row('NIPADA')], [row('NIPOBI')]);
});

test('each stored row is the counterpart of one row at most', () => {
  const found = recogniseCutRows([row('NIPADA')], [row('NIPADAOBI'), row('NIPADAEZE')]);
  assert.equal(keysOf(found).filter((key) => key === 'key of NIPADA').length, 1);
  assert.equal(found.doubtful, 1);
});

test('with a running balance, a cut row is certainly the stored one: nothing is added and nothing is in doubt', () => {
  const facts = { isWhole: false, isOnePiece: true };
  const [stored, shown] = [row('NIPADA', { balanceMinor: 9n }), row('NIPADAOBI', { balanceMinor: 9n })];
  assert.deepEqual(mergeDay([stored], [shown], facts), { kind: 'merged', add: [], cut: 0 });
});

test('without balances, a cut row is in doubt until a file shows the whole day with one row for each', () => {
  const [stored, shown] = [row('NIPADA'), row('NIPADAOBI')];
  const part = { isWhole: false, isOnePiece: true };
  assert.deepEqual(mergeDay([stored], [shown], part), { kind: 'merged', add: [], cut: 1 });
  const whole = { isWhole: true, isOnePiece: true };
  assert.deepEqual(mergeDay([stored], [shown], whole), { kind: 'merged', add: [], cut: 0 });
  const both = mergeDay([stored], [stored, shown], whole);
  assert.deepEqual(both, { kind: 'merged', add: [{ index: 1, ordinal: 1 }], cut: 0 });
});
