// Tests a quote for an amount. The response is one number, dated at the time of the request, or earlier if a cache kept the
// response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceFailure, type SourceFailureCode } from '../../ports/rates.ts';
import { amountQuote } from './amount-quote.ts';
import type { SourceAnswer } from './source-kind.ts';

const NOW = 1_763_078_551_000;
const parse = (text: string, dates: Partial<SourceAnswer> = {}) =>
  amountQuote.parse({ text, askedAtMs: NOW, datedMs: null, cachedForMs: 0, ...dates });
const answer = (data: string) => `{"status":"success","message":"Rate fetched successfully","data":${data}}`;
const failsAs = (code: SourceFailureCode) => (error: unknown) =>
  error instanceof SourceFailure && error.code === code;

test('the rate is read exactly from a string and from a JSON number', () => {
  assert.deepEqual(parse(answer('"1393.76"')), [{ currency: 'USD', valueE4: 13_937_600n, asOfMs: NOW }]);
  assert.equal(parse(answer('1393.76'))[0]!.valueE4, 13_937_600n);
  assert.equal(parse(answer('1393.75994999999999999999'))[0]!.valueE4, 13_937_599n);
});

test('threat 60: the age of a cached response comes from its headers, and the response is never newer than the request', () => {
  const timeOf = (dates: Partial<SourceAnswer>) => parse(answer('"1"'), dates)[0]!.asOfMs - NOW;
  assert.equal(timeOf({ cachedForMs: 40_000 }), -40_000);
  assert.equal(timeOf({ datedMs: NOW - 600_000 }), -600_000);
  assert.equal(timeOf({ datedMs: NOW - 600_000, cachedForMs: 700_000 }), -700_000);
  assert.equal(timeOf({ datedMs: NOW + 600_000 }), 0);
});

test('threat 61: zero, a negative number and a number that is far too large or too small are reported unchanged', () => {
  assert.equal(parse(answer('"0"'))[0]!.valueE4, 0n);
  assert.equal(parse(answer('-1393.76'))[0]!.valueE4, -13_937_600n);
  assert.equal(parse(answer('"139376"'))[0]!.valueE4, 1_393_760_000n);
});

test('a response without a number is unreadable; an error of the source is a refusal', () => {
  for (const data of [
    '"NaN"',
    '"Infinity"',
    '1e999',
    '"1,393.76"',
    'null',
    '""',
    '{}',
    '{"sell":{"rate":"1393"}}',
    '[1393]',
    'true',
  ])
    assert.throws(() => parse(answer(data)), failsAs('unreadable'), data);
  for (const text of [
    '',
    '{}',
    '[]',
    '<html></html>',
    answer('"1393.76"').slice(0, -4),
    answer('NaN'),
    '{"data":"1393"}',
  ])
    assert.throws(() => parse(text), failsAs('unreadable'), text);
  assert.throws(() => parse('{"status":"error","message":"No provider","data":null}'), failsAs('refused'));
});

test('the amount must be a plain number above zero', () => {
  const { pattern } = amountQuote.options.amount!;
  for (const text of ['1', '100', '0.5', '100.25', '999999999']) assert.match(text, pattern);
  for (const text of ['0', '0.0', '', '-1', '1e3', '01', '1,000', '1000000000', '1/2', '100 ', '.5'])
    assert.doesNotMatch(text, pattern);
});
