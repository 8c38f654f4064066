// Tests the ticker of an exchange. The rate is the midpoint of bid and ask, at the time of the ticker. There is no rate if one
// of the two is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceFailure, type SourceFailureCode } from '../../ports/rates.ts';
import { exchangeTicker } from './exchange-ticker.ts';

const TICKER = {
  buy: '1390.1',
  sell: '1392.25',
  low: '1380.0',
  high: '1400.0',
  open: '1385.0',
  last: '1391.0',
  vol: '1204.5',
};
const answer = (ticker: object, at: unknown = 1_763_078_551) =>
  JSON.stringify({ status: 'success', message: 'Successful', data: { at, ticker, market: 'usdtngn' } });
const parse = (text: string) => exchangeTicker.parse({ text, askedAtMs: 0, datedMs: null, cachedForMs: 0 });
const failsAs = (code: SourceFailureCode) => (error: unknown) =>
  error instanceof SourceFailure && error.code === code;

test('the price of a dollar is the midpoint of bid and ask, at the time of the ticker', () => {
  assert.deepEqual(parse(answer(TICKER)), [
    { currency: 'USD', valueE4: 13_911_750n, asOfMs: 1_763_078_551_000 },
  ]);
  assert.equal(parse(answer({ ...TICKER, buy: 1390.1, sell: 1392.25 }))[0]!.valueE4, 13_911_750n);
  assert.equal(parse(answer({ ...TICKER, sell: TICKER.buy }))[0]!.valueE4, 13_901_000n);
});

test('the price of the last trade is not used', () => {
  assert.equal(parse(answer({ ...TICKER, last: '139.1' }))[0]!.valueE4, 13_911_750n);
  assert.equal(parse(answer({ ...TICKER, last: 'NaN' }))[0]!.valueE4, 13_911_750n);
});

test('threat 61: a bid or ask of zero or below is reported unchanged, never as half of the other price', () => {
  assert.equal(parse(answer({ ...TICKER, buy: '0.0' }))[0]!.valueE4, 0n);
  assert.equal(parse(answer({ ...TICKER, sell: '0' }))[0]!.valueE4, 0n);
  assert.equal(parse(answer({ buy: '0.0', sell: '0.0' }))[0]!.valueE4, 0n);
  assert.equal(parse(answer({ ...TICKER, sell: '-3' }))[0]!.valueE4, -30_000n);
  assert.equal(parse(answer({ buy: '139010', sell: '139225' }))[0]!.valueE4, 1_391_175_000n);
});

test('there is no price if the bid is above the ask, or if they are more than five percent apart', () => {
  assert.throws(() => parse(answer({ buy: '1392.25', sell: '1390.1' })), failsAs('unreadable'));
  assert.equal(parse(answer({ buy: '1000', sell: '1050' }))[0]!.valueE4, 10_250_000n);
  assert.throws(() => parse(answer({ buy: '1000', sell: '1050.0001' })), failsAs('unreadable'));
  assert.throws(() => parse(answer({ buy: '139.1', sell: '1391' })), failsAs('unreadable'));
});

test('without bid, ask, time or success status there is no rate', () => {
  for (const offer of ['', 'NaN', 'Infinity', '1,390.1', null, undefined, true, {}, '1e999', '9999999999999'])
    for (const side of ['buy', 'sell'])
      assert.throws(
        () => parse(answer({ ...TICKER, [side]: offer })),
        failsAs('unreadable'),
        `${side} ${offer}`,
      );
  assert.throws(() => parse(answer({ buy: '9999999999999', sell: '9999999999999' })), failsAs('unreadable'));
  for (const at of [null, 0, -1, 17_630_785_510, '2026-11-13', 1.5, {}])
    assert.throws(() => parse(answer(TICKER, at)), failsAs('unreadable'), `at ${at}`);
  for (const text of [
    '{}',
    '[]',
    'null',
    '{"status":"success"}',
    '{"status":"success","data":[]}',
    answer(TICKER).slice(0, 80),
  ])
    assert.throws(() => parse(text), failsAs('unreadable'), text);
  assert.throws(() => parse(answer(TICKER).replace('"at"', '"time"')), failsAs('unreadable'));
  assert.throws(() => parse('{"status":"error","message":"Market not found"}'), failsAs('refused'));
});

test('the time may be in seconds or in milliseconds', () => {
  assert.equal(parse(answer(TICKER, 1_763_078_551_234))[0]!.asOfMs, 1_763_078_551_234);
  assert.equal(parse(answer(TICKER, '1763078551'))[0]!.asOfMs, 1_763_078_551_000);
});

test('a time in the future is reported unchanged, so that the book rejects and shows it', () => {
  assert.equal(parse(answer(TICKER, 2_000_000_000))[0]!.asOfMs, 2_000_000_000_000);
});
