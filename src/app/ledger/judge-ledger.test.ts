// Tests that the check of the books finds an account name under the wrong asset, and does not fail itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditedAccount } from '../../ports/ledger.ts';
import { judgeLedger, type TokenDecimals } from './judge-ledger.ts';

const DECIMALS: TokenDecimals = { live: new Map(), test: new Map([['TKN@Net', 6]]) };

function account(asset: string, name: AuditedAccount['name'], balanceMinor: bigint): AuditedAccount {
  const of = { mode: 'test', side: balanceMinor < 0n ? 'credit' : 'debit', misnotedMinor: 0n } as const;
  return { ...of, asset, name, key: `test/${asset}/${name}`, balanceMinor, postedMinor: balanceMinor };
}

const rules = (...accounts: readonly AuditedAccount[]) =>
  judgeLedger(accounts, DECIMALS).findings.map(({ rule, assets, driftMinor }) => [rule, assets, driftMinor]);

test('threat 113: an empty naira account with the name of a token account changes nothing and causes no error', () => {
  assert.deepEqual(rules(account('NGN', 'out', 0n), account('NGN', 'received', 0n)), []);
  assert.deepEqual(
    rules(
      ...[
        account('NGN', 'out', 0n),
        account('TKN@Net', 'out', 10_000n),
        account('TKN@Net', 'capital', -10_000n),
      ],
      ...[account('NGN', 'delivered', -1n), account('NGN', 'bank_in', 1n)],
    ),
    [],
  );
});

test('threat 94: money in an account that does not belong to its asset is found', () => {
  const naira = [account('NGN', 'out', 7n), account('NGN', 'capital', -7n)];
  assert.deepEqual(rules(...naira), [['place', ['NGN'], 7n]]);
  const tokens = [account('TKN@Net', 'bank_in', 5n), account('TKN@Net', 'capital', -5n)];
  assert.deepEqual(rules(...tokens), [['place', ['TKN@Net'], 5n]]);
});
