// Tests that the decimals of a deposit are known without its network if its sell contains them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import { findDepositDecimals } from './undo-payout.ts';

const deps = {
  networks: {
    find: (_, name) => (name === 'Here' ? ({ asset: { code: 'TKN', decimals: 7 } } as Network) : undefined),
  } as Partial<Networks> as Networks,
};
const sell = { deposits: [{ network: 'Away', decimals: 2 }] } as unknown as Transaction;
const on = (network: string) => ({ mode: 'live', network }) as Deposit;

test('the decimals come from the sell if its network is disabled, and from the network if the deposit is on another network', () => {
  assert.equal(findDepositDecimals(deps, sell, on('Away')), 2);
  assert.equal(findDepositDecimals(deps, sell, on('Here')), 7);
  assert.throws(() => findDepositDecimals(deps, sell, on('Elsewhere')), /not known while it is not enabled/);
});
