// Finds the bank accounts in the books from which payouts are made. The books contain the account of a rail from the first
// start with that rail. So people can add naira to the account, and it never becomes a vendor's account.
import { accountDetail, ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { PickDeps } from '../engine/deps.ts';

export function listPayoutAccounts(banks: Pick<RailRegistry, 'enabled'>, mode: Mode): readonly string[] {
  const accounts = banks.enabled(mode).flatMap(({ account }) => (account === null ? [] : [account]));
  return [...new Set(accounts.map(({ bankCode, number }) => accountDetail(bankCode, number)))];
}

/** A commit creates all accounts to which it refers, so a commit without entries is enough. */
export async function openPayoutAccounts({
  store,
  banks,
  clock,
}: PickDeps<'store' | 'clock'> & { readonly banks: Pick<RailRegistry, 'enabled'> }): Promise<void> {
  for (const mode of MODES) {
    const accounts = listPayoutAccounts(banks, mode);
    if (accounts.length === 0) continue;
    const notNegative = accounts.map((account) => ledgerKey(mode, NAIRA, 'bank_out', account));
    await store.commit([{ atMs: clock.now(), conditions: [{ notNegative }] }]);
  }
}
