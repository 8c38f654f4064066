// Tests that the money check finds every conversion to a float, and that the current source has none.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { findFloatMoney } from './float-money.ts';
import { runCheckOn } from './run-check-on.ts';

function foundIn(
  code: string,
  file = 'src/app/a.ts',
  allowed: Parameters<typeof findFloatMoney>[1] = [],
): readonly string[] {
  return runCheckOn({ [file]: code }, (root) => findFloatMoney(root, allowed));
}

test('threat 6: no money in the source becomes a float', () => {
  assert.deepEqual(findFloatMoney(path.resolve(import.meta.dirname, '../..')), []);
});

test('threat 6: every conversion to a float is found, in every folder', () => {
  for (const code of [
    'const naira = parseFloat(text);',
    'const shown = total.toFixed(2);',
    'const shown = (1 / 3).toPrecision(2);',
    'const n = Number(amountMinor);',
    'const n = Number(\n  transaction.receivedMinor - transaction.refundedMinor,\n);',
    'const n = Number.parseInt(row.amount, 10);',
    'const fee = Math.round(feeOf(x));',
    'const most = Math.max(a, koboToToken(b));',
    'const half = Math.floor(input.amount / 2);',
    'const more = amount * 1.015;',
    'const more = 0.015 * amount;',
    'const wei = 1e9 * feePerGas;',
    'const n = +amountMinor;',
    'return +row.balance;',
    "const sql = 'select amount_minor::float8 from entries';",
    "const column = ['amount_minor', 'float8', read];",
  ]) {
    for (const file of ['src/domain/a.ts', 'src/app/b/c.ts', 'src/adapters/postgres/a.ts', 'src/http/a.ts'])
      assert.equal(foundIn(code, file).length, 1, `${file}: ${code}`);
  }
  assert.match(
    foundIn('\n\nconst n = Number(amountMinor);')[0]!,
    /^src\/app\/a\.ts:3: .*Number\(amountMinor\)/,
  );
});

test('times, counts, comments and tests are ignored', () => {
  for (const code of [
    'const dueAtMs = Math.max(expiresAtMs, atMs);',
    'const limit = Number(text);',
    'const left = amountMinor - receivedMinor + 1n;',
    '// never Number(amountMinor)\n/* nor parseFloat(x) */',
    "const sql = 'to_timestamp(x.received_ms::float8 / 1000), amount_minor::numeric';",
  ])
    assert.deepEqual(foundIn(code), [], code);
  assert.deepEqual(foundIn('const n = Number(amountMinor);', 'src/app/a.test.ts'), []);
});

test('an exception is valid only in its own file, and an exception that is no longer used is reported', () => {
  const allowed = [{ file: 'src/app/a.ts', code: 'Number(minor)', why: 'a gauge' }];
  const code = 'const value = Number(minor);';
  assert.deepEqual(foundIn(code, 'src/app/a.ts', allowed), []);
  assert.equal(foundIn(code, 'src/app/b.ts', allowed).length, 2);
  assert.equal(foundIn('const other = Number(amountMinor);', 'src/app/a.ts', allowed).length, 2);
});
