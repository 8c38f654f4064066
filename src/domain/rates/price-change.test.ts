// Tests when a desk price needs a second person: when one step, or many steps together, bring the price far from the known
// values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { e4 } from '../../../test/support/rates/rate-readings.ts';
import { boundsE4, referenceE4 } from './bounds.ts';
import { judgePrice } from './price-change.ts';
import { CURRENCIES } from './rates.ts';

const plain = { currency: 'USD', lastAcceptedE4: null, othersE4: null, setAlone: [] } as const;
const kindOf = (value: string, given: Partial<Parameters<typeof judgePrice>[0]> = {}) =>
  judgePrice({ ...plain, valueE4: e4(value), ...given }).kind;

test('threat 61: impossible prices are refused, and a misplaced decimal point needs two people', () => {
  for (const value of ['99999999999', '0.0001', '54', '34038']) assert.equal(kindOf(value), 'refused', value);
  for (const value of ['13615', '136.15']) {
    assert.equal(kindOf(value), 'two_people', value);
    assert.equal(
      kindOf(value, { lastAcceptedE4: e4(value) }),
      'two_people',
      `${value}, also when it is not new`,
    );
  }
  const answer = judgePrice({ ...plain, valueE4: e4('136150') });
  assert.match(answer.kind === 'refused' ? answer.why : '', /between 54\.46 and 34037\.5 naira, in any case/);
});

test('one person may set a price up to 5 % from the known values; a larger change needs two people', () => {
  for (const known of [
    { lastAcceptedE4: e4('1000') },
    { othersE4: e4('1000') },
    { setAlone: [e4('1000')] },
  ]) {
    assert.equal(kindOf('1050', known), 'one_person');
    assert.equal(kindOf('950', known), 'one_person');
    assert.equal(kindOf('1050.0001', known), 'two_people');
    assert.equal(kindOf('949.9999', known), 'two_people');
  }
});

test('without known values, one person may set a price from half to double the reference value', () => {
  assert.equal(kindOf('680.75'), 'one_person');
  assert.equal(kindOf('2723'), 'one_person');
  assert.equal(kindOf('680.7499'), 'two_people');
  assert.equal(kindOf('2723.0001'), 'two_people');
});

test('the steps of one person within the window never add up to more than 5 %', () => {
  const step = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(
      fc.constantFrom(...CURRENCIES),
      fc.array(step, { minLength: 1, maxLength: 40 }),
      (currency, steps) => {
        const first = referenceE4(currency);
        const setAlone: bigint[] = [first];
        for (const bps of steps) {
          const lastAcceptedE4 = setAlone.at(-1)!;
          const valueE4 = (lastAcceptedE4 * BigInt(10_000 + bps)) / 10_000n;
          const { kind } = judgePrice({ currency, valueE4, lastAcceptedE4, othersE4: null, setAlone });
          if (kind === 'one_person') setAlone.push(valueE4);
        }
        for (const price of setAlone) assert.ok(price * 20n <= first * 21n && price * 20n >= first * 19n);
      },
    ),
  );
});

test('a price is refused only if it is outside the bounds, and every price outside is refused', () => {
  const maybe = fc.option(fc.bigInt({ min: 1n, max: 10n ** 9n }), { nil: null });
  const any = fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    valueE4: fc.bigInt({ min: -10n, max: 10n ** 9n }),
    lastAcceptedE4: maybe,
    othersE4: maybe,
    setAlone: fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(any, (change) => {
      const { lowE4, highE4 } = boundsE4(change.currency, 'confirmed');
      const isInside = change.valueE4 >= lowE4 && change.valueE4 <= highE4;
      assert.equal(judgePrice(change).kind === 'refused', !isInside);
    }),
    { numRuns: 1_000 },
  );
});
