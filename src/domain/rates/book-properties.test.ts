// Tests the rules of the rate book with any reports of sources. The rules decide which numbers may be used, how far one wrong
// source can move a value, and when a value expires. The tests also check that the book recovers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decide,
  HOUR,
  NOW,
  nameOf,
  rate,
  reading,
  valueIn,
} from '../../../test/support/rates/rate-readings.ts';
import { findBoundsProblem, referenceE4 } from './bounds.ts';
import { decideBook } from './decide-book.ts';
import { type AcceptedValue, findLastAccepted, type RateDecision } from './rate-decision.ts';
import { CURRENCIES, type Currency } from './rates.ts';
import { DESK, type SourceRate, type SourceReading } from './reading.ts';

const currency = fc.constantFrom(...CURRENCIES);
const valueFor = (code: Currency) =>
  fc.oneof(
    { weight: 6, arbitrary: scaled(code, 9_800, 10_200) },
    { weight: 2, arbitrary: scaled(code, 8_000, 14_000) },
    { weight: 1, arbitrary: fc.constantFrom(referenceE4(code) * 10n, referenceE4(code) * 100n, 0n, -5n, 1n) },
  );
function scaled(code: Currency, min: number, max: number): fc.Arbitrary<bigint> {
  return fc.integer({ min, max }).map((bps) => (referenceE4(code) * BigInt(bps)) / 10_000n);
}

const someRate: fc.Arbitrary<SourceRate> = currency.chain((code) =>
  fc.record({
    currency: fc.constant(code),
    valueE4: valueFor(code),
    asOfMs: fc.integer({ min: NOW - 2 * HOUR, max: NOW + HOUR / 6 }),
    validUntilMs: fc.option(fc.integer({ min: NOW - HOUR, max: NOW + HOUR }), { nil: null }),
    override: fc.boolean(),
    confirmed: fc.boolean(),
  }),
);
const rates = fc.array(fc.oneof(someRate, dollar()), { maxLength: 8 });
function dollar(): fc.Arbitrary<SourceRate> {
  return valueFor('USD').map((valueE4) => rate('USD', valueE4));
}
const readings: fc.Arbitrary<SourceReading[]> = fc
  .array(rates, { maxLength: 5 })
  .chain((lists) => fc.boolean().map((hasDesk) => lists.map((list, index) => read(index, list, hasDesk))));
function read(index: number, list: readonly SourceRate[], hasDesk: boolean): SourceReading {
  if (index === 0 && hasDesk) return { source: DESK, ageLimitMs: null, rates: list };
  const plain = list.map((one) => ({ ...one, override: false, confirmed: false }));
  return { source: nameOf(index), ageLimitMs: HOUR, rates: plain };
}
const history = fc.record({
  code: currency,
  bps: fc.integer({ min: 9_000, max: 11_000 }),
  hours: fc.nat(60),
});
const lastAccepted = fc.array(history, { maxLength: 9 }).map((list) => {
  const found: Partial<Record<Currency, AcceptedValue>> = {};
  for (const { code, bps, hours } of list) {
    const valueE4 = (referenceE4(code) * BigInt(bps)) / 10_000n;
    const footing = {
      valueE4,
      dollarE4: code === 'USD' ? null : referenceE4('USD'),
      atMs: NOW - hours * HOUR,
    };
    found[code] = { ...footing, anchor: footing };
  }
  return found;
});
const book = fc.record({ minimum: fc.integer({ min: 1, max: 3 }), readings, last: lastAccepted });
type Book = typeof book extends fc.Arbitrary<infer B> ? B : never;
const decided = ({ minimum, readings: list, last }: Book) => decide(minimum, list, { last });

function forEveryValue(check: (value: RateDecision['values'][number], given: Book) => void): void {
  fc.assert(
    fc.property(book, (given) => {
      for (const value of decided(given).values) check(value, given);
    }),
    { numRuns: 400 },
  );
}

test('every value of a decision has either a number or a gap reason, and a sentence for each candidate', () => {
  forEveryValue(({ valueE4, gap, validUntilMs, candidates, accepted }) => {
    assert.equal(valueE4 === null, gap !== null);
    if (valueE4 === null) assert.equal(validUntilMs, null);
    else assert.equal(accepted!.valueE4, valueE4);
    for (const { why } of candidates) assert.match(why, /^.{10,300}$/);
    assert.equal(new Set(candidates.map(({ source }) => source)).size, candidates.length);
  });
});

test('threat 60: a used number is never expired or from the future, and a value expires later than now', () => {
  forEveryValue(({ valueE4, validUntilMs, candidates, currency: code }, given) => {
    if (valueE4 !== null && validUntilMs !== null) assert.ok(validUntilMs > NOW);
    for (const { source, verdict, asOfMs, crossed } of candidates) {
      if (verdict !== 'used') continue;
      assert.ok(asOfMs <= NOW + 300_000);
      if (crossed) continue;
      if (source !== DESK) assert.ok(asOfMs > NOW - HOUR);
      const own = given.readings.find((one) => one.source === source)!.rates;
      assert.ok(own.some((one) => one.currency === code && (one.validUntilMs ?? NOW + 1) > NOW));
    }
  });
});

test('threat 61: a value and the numbers used for it are within the bounds, and no used number is more than 2 % from the value', () => {
  forEveryValue(({ valueE4, candidates, currency: code }) => {
    if (valueE4 === null) return;
    assert.equal(findBoundsProblem(code, valueE4, 'confirmed'), null);
    for (const used of candidates.filter(({ verdict }) => verdict === 'used')) {
      const distance = used.valueE4 > valueE4 ? used.valueE4 - valueE4 : valueE4 - used.valueE4;
      // The value itself may be wrong by half of the last digit, because it is rounded.
      assert.ok(distance * 50n <= valueE4 + 50n, `${used.valueE4} beside ${valueE4}`);
    }
  });
});

test('threat 61: a value needs the minimum number of sources, or an override alone', () => {
  forEveryValue(({ valueE4, candidates, currency: code }, given) => {
    if (valueE4 === null) return;
    const used = candidates.filter(({ verdict }) => verdict === 'used');
    const desk = given.readings.find(({ source }) => source === DESK)?.rates ?? [];
    const isOverride = candidates.some(({ verdict }) => verdict === 'overridden');
    const hasDesk = used.some(({ source }) => source === DESK) && desk.some((one) => one.currency === code);
    if (isOverride) assert.deepEqual([used.length, hasDesk], [1, true]);
    else if (!hasDesk) assert.ok(used.length >= given.minimum);
  });
});

test('threat 61: one source alone never moves a value by more than 5 %', () => {
  const alone = fc.record({
    code: currency,
    bps: fc.integer({ min: 5_000, max: 20_000 }),
    last: lastAccepted,
  });
  fc.assert(
    fc.property(alone, ({ code, bps, last }) => {
      const base = last[code]?.valueE4 ?? referenceE4(code);
      const decision = decide(1, [reading('a', rate(code, (base * BigInt(bps)) / 10_000n))], { last });
      const { valueE4 } = valueIn(decision, code);
      if (last[code] === undefined || valueE4 === null) return;
      assert.ok(valueE4 * 20n <= base * 21n && valueE4 * 20n >= base * 19n);
    }),
    { numRuns: 1_000 },
  );
});

test('threat 61: one source alone never moves a value by more than 5 % in a day, even in small steps', () => {
  const steps = fc.array(fc.integer({ min: -700, max: 700 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(currency, steps, fc.boolean(), (code, walk, isCrossed) => {
      const first = referenceE4(code);
      let decision = bookOf(code, first, isCrossed, NOW, null);
      for (const [index, bps] of walk.entries()) {
        const from = findLastAccepted(decision)[code]!.valueE4;
        const nowMs = NOW + (index + 1) * 20 * 60_000;
        decision = bookOf(code, (from * BigInt(10_000 + bps)) / 10_000n, isCrossed, nowMs, decision);
        const { valueE4 } = findLastAccepted(decision)[code]!;
        assert.ok(valueE4 * 20n <= first * 21n && valueE4 * 20n >= first * 19n, `${first} to ${valueE4}`);
      }
    }),
    { numRuns: 300 },
  );
});

/**
 * Decides with a source that gives two other sources their cross rates, or with this source alone. The dollar rate of the other
 * sources is constant.
 */
function bookOf(
  code: Currency,
  valueE4: bigint,
  isCrossed: boolean,
  nowMs: number,
  last: RateDecision | null,
): RateDecision {
  const at = { asOfMs: nowMs };
  const others = ['b', 'c'].map((name) => reading(name, rate('USD', referenceE4('USD'), at)));
  const ownDollar = code === 'USD' ? [] : [rate('USD', referenceE4('USD'), at)];
  const liar = reading('a', ...ownDollar, rate(code, valueE4, at));
  const given = { last: findLastAccepted(last), nowMs };
  return isCrossed && code !== 'USD' ? decide(2, [liar, ...others], given) : decide(1, [liar], given);
}

test('threat 61: when the correct sources agree within 2 %, one wrong source never moves the value out of their range', () => {
  const honest = fc.array(fc.integer({ min: 10_000, max: 10_195 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(currency, honest, fc.bigInt({ min: -10n, max: 10n ** 9n }), (code, list, lie) => {
      const values = list.map((bps) => (referenceE4(code) * BigInt(bps)) / 10_000n);
      const sources = [...values, lie].map((valueE4, index) => reading(nameOf(index), rate(code, valueE4)));
      const { valueE4, gap } = valueIn(decide(2, sources), code);
      const sorted = values.toSorted((a, b) => (a < b ? -1 : 1));
      assert.equal(gap, null);
      assert.ok(valueE4! >= sorted[0]! && valueE4! <= sorted.at(-1)!);
    }),
    { numRuns: 1_000 },
  );
});

test('if two sources agree within the bounds, their value is always served, whatever was accepted before', () => {
  fc.assert(
    fc.property(currency, scaled('USD', 6_000, 20_000), lastAccepted, (code, dollarE4, last) => {
      const valueE4 = (referenceE4(code) * dollarE4) / referenceE4('USD');
      const sources = ['a', 'b'].map((name) => reading(name, rate(code, valueE4)));
      assert.equal(valueIn(decide(2, sources, { last }), code).valueE4, valueE4);
    }),
  );
});

test('the order of sources and readings, and a source that is read twice, do not change the decision', () => {
  fc.assert(
    fc.property(book, ({ minimum, readings: list, last }) => {
      const sources = list.map(({ source }) => source);
      const turned = decideBook({
        plan: { product: 'otc_buy', sources: [...sources, ...sources], minimum },
        readings: [...list].reverse(),
        lastAccepted: last,
        nowMs: NOW,
      });
      const summary = (decision: RateDecision) =>
        decision.values.map(({ valueE4, gap, validUntilMs }) => [valueE4, gap, validUntilMs]);
      assert.deepEqual(summary(turned), summary(decide(minimum, list, { last })));
    }),
  );
});
