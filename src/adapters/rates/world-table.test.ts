// Tests the world table. Naira per unit is computed exactly from units per dollar, and only if the table is for the dollar and
// has a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENCIES } from '../../domain/rates/rates.ts';
import { SourceFailure, type SourceFailureCode } from '../../ports/rates.ts';
import { worldTable } from './world-table.ts';

const TABLE = `"USD":1,"NGN":1361.5,"GBP":0.745414,"EUR":0.863732,"TRY":46.2152,"CNY":6.775992,"CHF":0.794991,"CAD":1.396267,
  "AED":3.6725,"KES":129.6667,"JPY":155.1`;
const answer = (rates: string, rest = '"base_code":"USD","time_last_update_unix":1763078551') =>
  `{"result":"success","documentation":"https://www.exchangerate-api.com/docs/free",${rest},"rates":{${rates}}}`;
const parse = (text: string) => worldTable.parse({ text, askedAtMs: 0, datedMs: null, cachedForMs: 0 });
const rate = (text: string, currency: string) =>
  parse(text).find((each) => each.currency === currency)?.valueE4;
const failsAs =
  (code: SourceFailureCode, words = /./) =>
  (error: unknown) =>
    error instanceof SourceFailure && error.code === code && words.test(error.message);

test('all nine currencies are converted to naira per unit, at the time of the table', () => {
  const rates = parse(answer(TABLE));
  assert.deepEqual(
    rates.map(({ currency }) => currency),
    [...CURRENCIES],
  );
  assert.ok(rates.every(({ asOfMs }) => asOfMs === 1_763_078_551_000));
  assert.deepEqual(
    [rates[0]!.valueE4, rates[1]!.valueE4, rates[7]!.valueE4],
    [13_615_000n, 18_265_018n, 3_707_284n],
  );
});

test('numbers are read from their text and not through a double', () => {
  assert.equal(rate(answer('"USD":1,"NGN":1361.49994999999999999'), 'USD'), 13_614_999n);
  assert.equal(rate(answer('"USD":1.0000,"NGN":1.3615e3'), 'USD'), 13_615_000n);
  assert.equal(rate(answer('"USD":1,"NGN":"1361.5"'), 'USD'), 13_615_000n);
});

test('a currency without a usable number is left out, and the others are kept', () => {
  for (const GBP of ['0', '0.0', 'null', '"x"', '"0,74"', '1e999', '{}', '[]', 'true', '1e-40'])
    assert.deepEqual(
      parse(answer(`"USD":1,"NGN":1361.5,"GBP":${GBP}`)).map(({ currency }) => currency),
      ['USD'],
      GBP,
    );
});

test('threat 61: a naira rate of zero, below zero or of another magnitude is reported unchanged', () => {
  assert.equal(rate(answer('"USD":1,"NGN":0'), 'USD'), 0n);
  assert.equal(rate(answer('"USD":1,"NGN":-1361.5'), 'USD'), -13_615_000n);
  assert.equal(rate(answer('"USD":1,"NGN":136150'), 'USD'), 1_361_500_000n);
});

test('without a naira rate, the base USD, a time or a success result there is no rate', () => {
  const wrong = [
    ...[
      '"USD":1',
      '"USD":1,"NGN":null',
      '"USD":1,"NGN":1e999',
      '"USD":1,"NGN":"NaN"',
      '"NGN":1361.5',
      '',
    ].map((rates) => answer(rates)),
    ...['"base_code":"EUR","time_last_update_unix":1763078551', '"time_last_update_unix":1763078551'].map(
      (rest) => answer(TABLE, rest),
    ),
    ...[
      '17630785510',
      '0',
      '-1',
      '"yesterday"',
      'null',
      '1763078551.5',
      '1e10',
      '9999999999',
      '999999999',
    ].map((time) => answer(TABLE, `"base_code":"USD","time_last_update_unix":${time}`)),
    answer(TABLE, '"base_code":"USD"'),
    answer(TABLE).replace('success', 'ok'),
    ...[
      '',
      '[]',
      'null',
      '<html>',
      answer(TABLE).slice(0, -2),
      '{"result":"success","rates":NaN}',
      `${'['.repeat(100_000)}`,
    ],
  ];
  for (const text of wrong) assert.throws(() => parse(text), failsAs('unreadable'), text.slice(0, 200));
});

test('a time in the future is reported unchanged, so that the book rejects and shows it', () => {
  const later = parse(answer(TABLE, '"base_code":"USD","time_last_update_unix":"4000000000"'));
  assert.equal(later[0]!.asOfMs, 4_000_000_000_000);
});

test('an error of the source is a refusal that contains only the error type, and no other text from the source', () => {
  assert.throws(
    () => parse('{"result":"error","error-type":"unsupported-code"}'),
    failsAs('refused', /: unsupported-code\.$/),
  );
  assert.throws(
    () => parse('{"result":"error","error-type":"<b>SECRET</b>"}'),
    failsAs('refused', /error\.$/),
  );
});
