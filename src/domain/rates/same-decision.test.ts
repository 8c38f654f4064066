// Tests when a new decision is stored, and which rate book is served from it. Each value has its own expiry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accepted, decide, HOUR, NOW, rate, reading } from '../../../test/support/rates/rate-readings.ts';
import { type BoardSnapshot, servedRate, servedRates } from './board.ts';
import { referenceE4 } from './bounds.ts';
import { applySpread, CURRENCIES, type Currency } from './rates.ts';
import { hasSameValues, isSameDecision, makeBoardBook } from './same-decision.ts';

const read = (dollar: string, asOfMs: number, nowMs = asOfMs) =>
  decide(1, [reading('a', rate('USD', dollar, { asOfMs }))], { last: { USD: accepted('1361.5') }, nowMs });
const minutes = (count: number) => NOW + count * 60_000;

test('a repeated number is stored again only when less than half of its validity is left', () => {
  const stored = read('1361.5', NOW);
  assert.ok(isSameDecision(stored, read('1361.5', minutes(5))));
  assert.ok(isSameDecision(stored, read('1361.5', minutes(30))));
  assert.ok(!isSameDecision(stored, read('1361.5', minutes(31))));
  assert.ok(isSameDecision(stored, read('1361.5', NOW, minutes(50))), 'the source was not read again');
});

test('another number, verdict or source, a gap or an earlier expiry creates a different decision', () => {
  const stored = read('1361.5', minutes(1));
  const given = { last: { USD: accepted('1361.5') }, nowMs: minutes(1) };
  const at = { asOfMs: minutes(1) };
  assert.ok(!isSameDecision(stored, read('1361.6', minutes(1))));
  assert.ok(!isSameDecision(stored, read('1500', minutes(1))));
  assert.ok(!isSameDecision(stored, decide(1, [reading('b', rate('USD', '1361.5', at))], given)));
  assert.ok(!isSameDecision(stored, decide(1, [], given)));
  assert.ok(!isSameDecision(stored, read('1361.5', NOW)));
  assert.ok(hasSameValues(stored, read('1361.5', minutes(31))));
  assert.ok(!hasSameValues(stored, read('1361.6', minutes(1))));
  assert.ok(!hasSameValues(stored, decide(1, [], given)));
});

const ends = fc.record(
  Object.fromEntries(CURRENCIES.map((code) => [code, fc.integer({ min: 1, max: 90 })])) as Record<
    Currency,
    fc.Arbitrary<number>
  >,
);

test('threat 60: each value has its own expiry, and setting one value does not renew the others', () => {
  const times = fc.tuple(ends, fc.nat(100), fc.constantFrom(...CURRENCIES));
  fc.assert(
    fc.property(times, ([endsAt, later, renewed]) => {
      const prices = CURRENCIES.map((code) =>
        rate(code, referenceE4(code), {
          validUntilMs: minutes(code === renewed ? endsAt[code] + 200 : endsAt[code]),
        }),
      );
      const board = boardOf(decide(1, [reading('desk', ...prices)]), 100);
      const asked = { mode: 'live', product: 'otc_buy', tier: 'standard', atMs: minutes(later) } as const;
      for (const code of CURRENCIES) {
        const served = servedRate(board, asked, code);
        const isLive = code === renewed || later < endsAt[code];
        assert.equal(
          typeof served === 'object' ? served.valueE4 : served,
          isLive ? referenceE4(code) : 'expired',
        );
      }
      const all = servedRates(board, asked);
      const isWhole = CURRENCIES.every((code) => code === renewed || later < endsAt[code]);
      assert.equal(all.ok, isWhole);
      if (!all.ok)
        assert.ok(all.error.every(({ why, currency }) => why === 'expired' && currency !== renewed));
    }),
  );
});

test('a book without a spread rule serves no rate; with a rule it serves the value with its spread', () => {
  const decision = decide(1, [reading('desk', rate('USD', '1361.5', { validUntilMs: NOW + HOUR }))]);
  const asked = { mode: 'live', product: 'otc_buy', tier: 'standard', atMs: NOW } as const;
  assert.equal(servedRate(boardOf(decision, null), asked, 'USD'), 'no_spread');
  assert.equal(servedRate(boardOf(decision, 0), asked, 'EUR'), 'no_source');
  assert.equal(servedRate(boardOf(decision, 0), { ...asked, mode: 'test' }, 'USD'), 'never_decided');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), (spreadBps) => {
      const served = servedRate(boardOf(decision, spreadBps), asked, 'USD');
      assert.ok(typeof served === 'object');
      assert.equal(served.rateE4, applySpread('otc_buy', referenceE4('USD'), spreadBps));
      assert.deepEqual(served.sources, [{ name: 'desk', valueE4: referenceE4('USD'), asOfMs: NOW }]);
    }),
  );
});

function boardOf(decision: Parameters<typeof makeBoardBook>[0], spreadBps: number | null): BoardSnapshot {
  const rule = { product: 'otc_buy', currency: null, tier: null, fromMs: 0 } as const;
  return {
    generation: 1,
    books: { live: { otc_buy: makeBoardBook(decision, 'rat_1', NOW) }, test: {} },
    spreads: { live: spreadBps === null ? [] : [{ ...rule, spreadBps }], test: [] },
  };
}
