// The books of test mode in memory, made from the postings of ledger entries. Each balance is positive on the normal side of
// its account.
import {
  CHART_OF_ACCOUNTS,
  type LedgerAccountName,
  ledgerKey,
} from '../../../src/domain/ledger/chart-of-accounts.ts';
import type { Entry } from '../../../src/domain/ledger/ledger.ts';

/** `details`: the bank account, for ledger accounts that have one in their name. */
export function makeBooks(details: Partial<Record<LedgerAccountName, string>> = {}) {
  const balances = new Map<string, bigint>();
  const of = (asset: string, name: LedgerAccountName) => {
    const key = ledgerKey('test', asset, name, details[name] ?? null);
    const balance = balances.get(key) ?? 0n;
    return CHART_OF_ACCOUNTS[name].side === 'debit' ? balance : -balance;
  };
  return {
    of,
    sum: (asset: string, names: readonly LedgerAccountName[]) =>
      names.reduce((total, name) => total + of(asset, name), 0n),
    post: (entries: readonly Entry[]) => {
      for (const { account, amountMinor } of entries.flatMap((entry) => entry.postings))
        balances.set(account, (balances.get(account) ?? 0n) + amountMinor);
    },
  };
}
