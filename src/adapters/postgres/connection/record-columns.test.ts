// Tests the columns of a record. They are selected under the names of the fields, and a row is converted to exactly that
// record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnArrays, inputOf, under } from './column-arrays.ts';
import {
  all,
  as,
  bigintColumn,
  columnFrom,
  convertedColumn,
  day,
  defineColumns,
  flag,
  int,
  json,
  ms,
  named,
  of,
  part,
  plainColumn,
  timeColumn,
  written,
} from './record-columns.ts';

interface Sale {
  readonly id: string;
  readonly businessId: string | null;
  readonly amountMinor: bigint | null;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  readonly durationMs: number;
  readonly words: readonly string[];
}

const SALE = defineColumns<Sale>({
  id: plainColumn,
  businessId: plainColumn,
  amountMinor: bigintColumn,
  createdAtMs: timeColumn,
  endedAtMs: columnFrom('coalesce(t.ended_at, t.left_at)', timeColumn),
  durationMs: plainColumn,
  words: convertedColumn((text: string) => text.split(' ')),
});

test('each column is selected under the name of its field, with the alias of the table if there is one', () => {
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

interface Transfer {
  readonly id: string;
  readonly atMs: number;
  readonly day: string;
  readonly payer: { readonly name: string; readonly balanceMinor: bigint | null } | null;
}

const TRANSFER = defineColumns<Transfer>({
  ...of('t', { id: plainColumn, atMs: named('made_at', ms), day }),
  payer: part<NonNullable<Transfer['payer']>>(
    of('p', { name: named('full_name', plainColumn), balanceMinor: bigintColumn }),
  ),
});

test('a record may have columns of several tables and nested parts; a part is null if its first column is null', () => {
  assert.equal(
    TRANSFER.list('x'),
    't.id as "id", (extract(epoch from t.made_at) * 1000)::float8 as "atMs", ' +
      `to_char(t.day, 'YYYY-MM-DD') as "day", ` +
      'p.full_name as "payer.name", p.balance_minor as "payer.balanceMinor"',
  );
  const facts = { id: 't', atMs: 7.5, day: '2026-01-31' };
  const payer = { name: 'Ada', balanceMinor: 5n };
  const row = { ...facts, 'payer.name': 'Ada', 'payer.balanceMinor': '5' };
  assert.deepEqual(TRANSFER.read(row), { ...facts, payer });
  assert.deepEqual(TRANSFER.read({ ...row, 'payer.balanceMinor': null }), {
    ...{ ...facts, payer: { name: 'Ada', balanceMinor: null } },
  });
  assert.deepEqual(TRANSFER.read({ ...row, 'payer.name': null }), { ...facts, payer: null });
});

test('a written value has the type of its column, and null and missing values stay null', () => {
  const sent = written({
    ...all(plainColumn, 'id', 'businessId'),
    ...{
      amountMinor: as('numeric', bigintColumn),
      createdAtMs: ms,
      endedAtMs: timeColumn,
      tries: int,
      paid: flag,
      raw: json,
    },
  });
  assert.equal(
    inputOf(sent, 2),
    'unnest($3::text[], $4::text[], $5::numeric[], $6::float8[], $7::timestamptz[], $8::int[], $9::boolean[], $10::jsonb[])' +
      ' as i(id, business_id, amount_minor, created_at_ms, ended_at, tries, paid, raw)',
  );
  const one = { id: 'a', businessId: null, amountMinor: 5n, createdAtMs: 1.5, endedAtMs: 0 };
  const rows = [{ sale: { ...one, tries: 0, paid: false, raw: { a: 1 } } }];
  assert.deepEqual(columnArrays(under('sale', sent), rows), [
    ...['{"a"}', '{NULL}', '{"5"}', '{"1.5"}', '{"1970-01-01T00:00:00.000Z"}', '{"0"}', '{"false"}'],
    '{"{\\"a\\":1}"}',
  ]);
});
