// Tests how the service judges a day without running balances, when its statement files come one after another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileDay } from './coverage.ts';
import { type DayVerdict, judgeDay } from './judge-day.ts';

const START = { previousMinor: null, hintMinor: null };
const rows = (count: number) =>
  Array.from({ length: count }, () => ({ amountMinor: 100n, balanceMinor: null }));
const file = (changes: Partial<FileDay>): FileDay => ({
  ...{ day: '2026-11-02', rows: 2, isWhole: true, openingMinor: 0n, closingMinor: 200n, sums: 'right' },
  ...changes,
});
const SOUND: DayVerdict = { state: 'sound', openingMinor: 0n, closingMinor: 200n, gap: null };

test('a day is sound if the sums of a file with all its rows are right', () => {
  assert.deepEqual(judgeDay({ rows: rows(2), start: START, file: file({}), added: 2, before: null }), SOUND);
});

test('a row that a file without balances adds to a sound day makes the day a gap', () => {
  const more = file({ sums: null, openingMinor: null, closingMinor: null, rows: 1, isWhole: false });
  const judged = judgeDay({ rows: rows(3), start: START, file: more, added: 1, before: SOUND });
  assert.equal(judged.state, 'gap');
  assert.match(judged.gap!, /adds rows to a day whose balances were right/);
});

test('a file that adds nothing leaves a sound day sound, and one with wrong sums makes its rows a gap', () => {
  const silent = file({ sums: 'wrong' });
  assert.deepEqual(judgeDay({ rows: rows(2), start: START, file: silent, added: 0, before: SOUND }), SOUND);
  assert.equal(judgeDay({ rows: rows(2), start: START, file: silent, added: 2, before: null }).state, 'gap');
});
