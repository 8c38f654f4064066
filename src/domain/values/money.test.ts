// Tests for threats 1 to 4, 6 and 7: text is converted to kobo exactly or refused, and kobo is converted exactly to text and
// tokens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatNaira, koboToToken, MAX_WIRE_MINOR, minorToWire, parseAmount } from './money.ts';

const WIDE = { minMinor: 1n, maxMinor: MAX_WIRE_MINOR };
const BUY = { minMinor: 1_500_000n, maxMinor: 100_000_000_000n };
const minor = fc.bigInt({ min: 1n, max: MAX_WIRE_MINOR });

const decimal = (amount: bigint) => {
  const digits = amount.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

test('threat 6: every amount stays the same when written as text or JSON and read again', () => {
  fc.assert(
    fc.property(minor, (amount) => {
      assert.deepEqual(parseAmount(decimal(amount), WIDE), { ok: true, value: amount });
      const wire = JSON.stringify(minorToWire(amount));
      assert.deepEqual(parseAmount(wire, WIDE), { ok: true, value: amount });
    }),
    { numRuns: 2_000 },
  );
  for (const amount of [1n, 10n, 99n, 100n, MAX_WIRE_MINOR, MAX_WIRE_MINOR - 1n, 3n, 29n, 57n, 1_115n]) {
    assert.deepEqual(parseAmount(JSON.stringify(minorToWire(amount)), WIDE), { ok: true, value: amount });
  }
});

test('threat 6: different spellings of an amount give the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: MAX_WIRE_MINOR / 100n }), (naira) => {
      for (const text of [`${naira}`, `${naira}.0`, `${naira}.00`]) {
        assert.deepEqual(parseAmount(text, WIDE), { ok: true, value: naira * 100n });
      }
    }),
  );
});

test('threat 1: the bounds are checked on the exact value, before the number of decimals', () => {
  for (const [text, error] of [
    ['14999.9999999999999999', 'amount_below_minimum'],
    ['14999.999', 'amount_below_minimum'],
    ['1000000000.0000000001', 'amount_above_maximum'],
    ['1000000000.000', 'amount_too_precise'],
    ['15000.000', 'amount_too_precise'],
    ['-0', 'amount_below_minimum'],
    ['-15000', 'amount_below_minimum'],
    ['9'.repeat(20), 'amount_above_maximum'],
    ['9'.repeat(21), 'amount_above_maximum'],
    [`${'9'.repeat(100_000)}.5`, 'amount_above_maximum'],
  ] as const) {
    assert.deepEqual(parseAmount(text, BUY), { ok: false, error }, text.slice(0, 40));
  }
});

test('threat 1: an accepted amount is within the bounds and equals the text digit by digit', () => {
  const text = fc.stringMatching(/^-?[0-9]{1,12}(\.[0-9]{0,4})?([eE][0-9])?$/);
  fc.assert(
    fc.property(
      text,
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      (t, min, more) => {
        const bounds = { minMinor: min, maxMinor: min + more };
        const parsed = parseAmount(t, bounds);
        if (!parsed.ok) return;
        assert.ok(parsed.value >= bounds.minMinor && parsed.value <= bounds.maxMinor);
        const [naira = '', kobo = ''] = t.split('.');
        assert.equal(decimal(parsed.value), `${naira}.${kobo.padEnd(2, '0')}`);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('threat 4: any text other than plain digits is malformed', () => {
  const texts = [
    '',
    ' ',
    '1e4',
    '1E4',
    '1e21',
    '1e-2',
    '+1',
    '01',
    '00',
    '.5',
    '5.',
    '1,000',
    '1 000',
    'NaN',
  ];
  for (const text of [
    ...texts,
    'Infinity',
    '0x10',
    '१५०००',
    '15000\n',
    '15000.50 ',
    '1_000',
    '--1',
    '1.2.3',
  ]) {
    assert.deepEqual(parseAmount(text, WIDE), { ok: false, error: 'amount_malformed' }, text);
  }
});

test('amounts are shown in naira with two decimals', () => {
  for (const [amount, text] of [
    [0n, '₦0.00'],
    [5n, '₦0.05'],
    [100n, '₦1.00'],
    [1_500_000n, '₦15,000.00'],
    [100_000_000_000n, '₦1,000,000,000.00'],
    [-123_456n, '-₦1,234.56'],
  ] as const) {
    assert.equal(formatNaira(amount), text);
  }
  fc.assert(
    fc.property(minor, (amount) => assert.equal(formatNaira(amount).replace(/[₦,]/g, ''), decimal(amount))),
  );
});

test('threat 7: kobo are converted to tokens exactly, or the conversion is refused', () => {
  fc.assert(
    fc.property(minor, fc.nat({ max: 18 }), (amount, decimals) => {
      const token = koboToToken(amount, decimals);
      if (token === undefined) {
        assert.ok(decimals < 2 && amount % 10n ** BigInt(2 - decimals) !== 0n);
      } else {
        assert.equal(token * 100n, amount * 10n ** BigInt(decimals));
      }
    }),
  );
  assert.equal(koboToToken(1_500_050n, 7), 150_005_000_000n);
  assert.equal(koboToToken(1_500_050n, 0), undefined);
  assert.equal(koboToToken(1_500_050n, 1), 150_005n);
  assert.equal(koboToToken(1_500_000n, 0), 15_000n);
});
