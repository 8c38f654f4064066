// Tests that amounts and JSON of banks are read exactly or rejected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exactNumber,
  fieldOf,
  numberTextOf,
  readJson,
  textOf,
  wholeOf,
  withPlainNumbers,
} from '../../json.ts';
import { nairaText, parseKobo, parseNairaAsKobo } from './amounts-and-times.ts';

const json = (text: string) => readJson(Buffer.from(text));

test('converts kobo to naira text and back exactly', () => {
  for (const [minor, text] of [
    [1n, '0.01'],
    [10n, '0.10'],
    [100n, '1.00'],
    [15_250_50n, '15250.50'],
    [4_35n, '4.35'],
    [999_999_999_999_99n, '999999999999.99'],
  ] as const) {
    assert.equal(nairaText(minor), text);
    assert.equal(parseNairaAsKobo(text, 'exact'), minor);
  }
  assert.equal(parseNairaAsKobo('100', 'exact'), 100_00n);
  assert.equal(parseNairaAsKobo('100.5', 'exact'), 100_50n);
  assert.equal(parseNairaAsKobo('100.500', 'exact'), 100_50n);
});

test('a fraction of a kobo is refused or rounded down, and text that is not an amount is refused', () => {
  assert.equal(parseNairaAsKobo('468520.951', 'exact'), null);
  assert.equal(parseNairaAsKobo('468520.951', 'down'), 468_520_95n);
  for (const text of ['', '-1.00', '1,000.00', '1e3', '01.00', '.5', '5.', 'NaN', '₦5', ' 5'])
    assert.equal(parseNairaAsKobo(text, 'down'), null, text);
});

test('an amount in kobo may have zero decimals; a fraction of a kobo is refused', () => {
  for (const [text, minor] of [
    ['100', 100n],
    ['100.00', 100n],
    ['1500000.0', 1_500_000n],
    ['0.00', 0n],
  ] as const)
    assert.equal(parseKobo(text), minor, text);
  for (const text of [null, '', '100.01', '-1', '1e3', '1,000', '100.'])
    assert.equal(parseKobo(text), null, `${text}`);
});

test('numbers keep all of their digits when they are read and when they are written', () => {
  const read = json('{"amount": 9007199254740993, "fee": 10.10, "code": "00", "deep": {"id": 7}}');
  assert.equal(numberTextOf(read, 'amount'), '9007199254740993');
  assert.equal(wholeOf(read, 'amount'), 9_007_199_254_740_993n);
  assert.equal(numberTextOf(read, 'fee'), '10.10');
  assert.equal(wholeOf(read, 'fee'), null);
  assert.equal(wholeOf(read, 'deep', 'id'), 7n);
  assert.equal(
    JSON.stringify({ amount: exactNumber(9_007_199_254_740_993n) }),
    '{"amount":9007199254740993}',
  );
  assert.deepEqual(withPlainNumbers(read), {
    amount: '9007199254740993',
    fee: '10.10',
    code: '00',
    deep: { id: 7 },
  });
});

test('missing and inherited fields are ignored, and blank text counts as missing', () => {
  const read = json('{"a": " ", "b": null, "c": ["x"], "d": " x "}');
  assert.deepEqual(
    [textOf(read, 'a'), textOf(read, 'b'), textOf(read, 'c'), textOf(read, 'd'), textOf(read, 'toString')],
    [null, null, null, 'x', null],
  );
  assert.equal(fieldOf(read, 'b', 'c'), undefined);
  assert.equal(fieldOf(undefined, 'a'), undefined);
  assert.equal(readJson(Buffer.from([0xff, 0xfe])), undefined);
});

test('threat 98: JSON that repeats a name is rejected', () => {
  assert.equal(json('{"responseCode":"00","responseCode":"51"}'), undefined);
  assert.equal(json('{"data":{"status":"failed","reference":"a","status":"success"}}'), undefined);
  assert.equal(json('[{"a":1},{"a":1,"\\u0061":2}]'), undefined, 'also where it is written in another way');
  assert.deepEqual(json('{"a":"x","b":{"a":"x"},"c":[{"a":"\\",\\"a\\":"},{"a":"y"}]}') !== undefined, true);
});
