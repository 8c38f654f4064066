// Tests that numbers from rate sources are read exactly from their text, rounded once and half up, and never guessed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareDecimals, type Decimal, middleOf, quotientE4, readDecimal, toE4 } from './decimal.ts';

const e4 = (text: string) => {
  const decimal = readDecimal(text);
  return decimal === undefined ? undefined : toE4(decimal);
};

test('a number is read exactly from its text, and rounded half up to ten-thousandths', () => {
  for (const [text, value] of [
    ['1361.5', 13_615_000n],
    [' 1361.5000 ', 13_615_000n],
    ['0', 0n],
    ['-1.5', -15_000n],
    ['1.00005', 10_001n],
    ['1.00004999999999999999999999', 10_000n],
    ['-1.00005', -10_001n],
    ['0.00004', 0n],
    ['1.3615e3', 13_615_000n],
    ['1.3615E+3', 13_615_000n],
    ['13615e-1', 13_615_000n],
    ['999999999999.99994', 9_999_999_999_999_999n],
    // As a double, this number would be 1361.4999999999998 or 1361.5000000000002.
    ['1361.49995', 13_615_000n],
    ['1361.499949999999999999999', 13_614_999n],
  ] as const)
    assert.equal(e4(text), value, text);
});

test('threat 61: text that is not a plain number, or is too large, is not read as a number', () => {
  for (const text of [
    ...[
      '',
      ' ',
      'NaN',
      'Infinity',
      '-Infinity',
      'null',
      '1e999',
      '1e-999',
      '1e41',
      '--1',
      '+1',
      '0x10',
      '1_000',
    ],
    ...[
      '1,361.50',
      '1361,5',
      '₦1361.5',
      '1361.5 NGN',
      '01361.5',
      '.5',
      '1361.',
      '1 361.5',
      '1.2.3',
      '1n',
      '١٣٦١',
    ],
    ...['9'.repeat(61), '1000000000000', '-1000000000000', '1e12'],
  ])
    assert.equal(e4(text), undefined, text);
});

const number = fc
  .record({
    units: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
    scale: fc.integer({ min: 0, max: 12 }),
  })
  .filter(({ units, scale }) => (units < 0n ? -units : units) < 10n ** BigInt(scale + 9));
const textOf = ({ units, scale }: Decimal) => {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
};

test('a number is read exactly, and rounding changes it by at most half of a ten-thousandth', () => {
  fc.assert(
    fc.property(number, (decimal) => {
      assert.equal(compareDecimals(readDecimal(textOf(decimal))!, decimal), 0);
      const valueE4 = toE4(decimal)!;
      const power = 10n ** BigInt(decimal.scale);
      const off = 2n * (valueE4 * power - decimal.units * 10_000n);
      // A half is rounded away from zero.
      assert.ok(decimal.units < 0n ? off >= -power && off < power : off > -power && off <= power);
    }),
    { numRuns: 500 },
  );
});

test('a quotient is rounded once, from the exact value', () => {
  assert.equal(quotientE4(readDecimal('1361.5')!, readDecimal('0.7454')!), 18_265_361n);
  assert.equal(quotientE4(readDecimal('1')!, readDecimal('3')!), 3_333n);
  assert.equal(quotientE4(readDecimal('2')!, readDecimal('3')!), 6_667n);
  assert.equal(quotientE4(readDecimal('1')!, readDecimal('0')!), undefined);
  assert.equal(quotientE4(readDecimal('1')!, readDecimal('1e-40')!), undefined);
  fc.assert(
    fc.property(number, number, (top, bottom) => {
      fc.pre(bottom.units !== 0n);
      const valueE4 = quotientE4(top, bottom);
      if (valueE4 === undefined) return;
      const dividend = top.units * 10_000n * 10n ** BigInt(bottom.scale);
      const divisor = bottom.units * 10n ** BigInt(top.scale);
      const off = 2n * (dividend - valueE4 * divisor);
      const size = divisor < 0n ? -divisor : divisor;
      assert.ok(off <= size && off >= -size);
    }),
    { numRuns: 500 },
  );
});

test('the midpoint is between the two numbers, in either order', () => {
  assert.equal(toE4(middleOf(readDecimal('1390.1')!, readDecimal('1392.25')!)), 13_911_750n);
  fc.assert(
    fc.property(number, number, (one, other) => {
      const middle = middleOf(one, other);
      assert.equal(compareDecimals(middle, middleOf(other, one)), 0);
      assert.ok(
        compareDecimals(one, other) > 0 ||
          (compareDecimals(one, middle) <= 0 && compareDecimals(middle, other) <= 0),
      );
    }),
  );
});
