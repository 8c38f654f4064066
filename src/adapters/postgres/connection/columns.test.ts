// The columns of a record: what is selected has the names of the fields, and a row becomes the record and nothing more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { big, columns, from, plain, stored, time } from './columns.ts';

interface Sale {
  readonly id: string;
  readonly businessId: string | null;
  readonly amountMinor: bigint | null;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  readonly durationMs: number;
  readonly words: readonly string[];
}

const SALE = columns<Sale>({
  id: plain,
  businessId: plain,
  amountMinor: big,
  createdAtMs: time,
  endedAtMs: from('coalesce(t.ended_at, t.left_at)', time),
  durationMs: plain,
  words: stored((text: string) => text.split(' ')),
});

test('each column has the name of its field, with the alias of the table where it has one', () => {
  const own = ['id', 'business_id', 'amount_minor', 'created_at', 'coalesce(t.ended_at, t.left_at)'];
  const named = ['id', 'businessId', 'amountMinor', 'createdAtMs', 'endedAtMs', 'durationMs', 'words'];
  const list = (alias: string) =>
    [...own, 'duration_ms', 'words']
      .map((column, index) => `${column.includes('(') ? '' : alias}${column} as "${named[index]}"`)
      .join(', ');
  assert.equal(SALE.list(), list(''));
  assert.equal(SALE.list('t'), list('t.'));
});

test('amounts are exact, times are milliseconds, null stays null, and other columns are left out', () => {
  const row = {
    id: 's',
    businessId: null,
    amountMinor: '9007199254740993',
    durationMs: 5,
    words: 'a b',
    more: 1,
  };
  const at = { createdAtMs: new Date(7), endedAtMs: null };
  const sale = { ...row, ...at, amountMinor: 9_007_199_254_740_993n, createdAtMs: 7, words: ['a', 'b'] };
  const { more: _more, ...expected } = sale;
  assert.deepEqual(SALE.read({ ...row, ...at }), expected);
  assert.equal(SALE.read({ ...row, ...at, amountMinor: null }).amountMinor, null);
  assert.equal(SALE.read({ ...row, ...at, amountMinor: '0' }).amountMinor, 0n);
});
