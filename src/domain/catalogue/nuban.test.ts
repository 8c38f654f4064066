// Tests account numbers: they are ten ASCII digits as text, and the check digit has two published forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAccountNumber, nubanCheckPasses } from './banks.ts';

const VECTORS = [
  ['011', '0000014579'],
  ['011', '0000000220'],
  ['044', '0010246780'],
  ['058', '0123456785'],
  ['50547', '0000000011'],
  ['50211', '2000000013'],
] as const;

test('the published examples pass, and with any other last digit they fail', () => {
  for (const [code, number] of VECTORS) {
    for (let digit = 0; digit < 10; digit++) {
      const candidate = number.slice(0, 9) + digit;
      assert.equal(nubanCheckPasses(code, candidate), candidate === number, `${code} ${candidate}`);
    }
  }
});

test('the six-digit bank code of 2020 gives the same result as the three-digit code', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{3}$/), fc.stringMatching(/^[0-9]{10}$/), (code, number) => {
      assert.equal(nubanCheckPasses(`000${code}`, number), nubanCheckPasses(code, number));
    }),
  );
  assert.equal(nubanCheckPasses('950547', '0000000011'), true);
});

test('a bank code of an unknown form gives no result, and an account number of a wrong form fails', () => {
  for (const code of ['', '11', '0011', '123456', '1234567', 'C34', '０11', '011 ']) {
    assert.equal(nubanCheckPasses(code, '0000014579'), undefined, code);
  }
  for (const number of ['', '000001457', '00000145790', '000001457x']) {
    assert.equal(nubanCheckPasses('011', number), false, number);
  }
});

test('threat 15: an account number is a text of ten ASCII digits, including leading zeros', () => {
  assert.ok(isAccountNumber('0000000220'));
  for (const text of [
    '220',
    '00000002200',
    '0000000220\n',
    ' 000000022',
    '٠٠٠٠٠٠٠٢٢٠',
    '000000022a',
    '-000000220',
  ]) {
    assert.ok(!isAccountNumber(text), JSON.stringify(text));
  }
});
