// Tests amounts in the format of a node: exact as text, and with a decimal point in the floating-point field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJson } from './rpc/json.ts';
import { uiAmount } from './token-data.ts';

test('an amount is exact as text, and its floating-point field is never an integer', () => {
  const cases: [bigint, number, string][] = [
    [5_000_000n, 6, '5.0,"uiAmountString":"5"'],
    [42n, 6, '0.000042,"uiAmountString":"0.000042"'],
    [0n, 2, '0.0,"uiAmountString":"0"'],
    [7n, 0, '7.0,"uiAmountString":"7"'],
    [18_446_744_073_709_551_615n, 6, '18446744073709.551615,"uiAmountString":"18446744073709.551615"'],
  ];
  for (const [amount, decimals, rest] of cases) {
    const expected = `{"amount":"${amount}","decimals":${decimals},"uiAmount":${rest}}`;
    assert.equal(toJson(uiAmount(amount, decimals)), expected);
  }
  assert.equal(toJson({ big: 2n ** 64n - 1n }), '{"big":18446744073709551615}');
});
