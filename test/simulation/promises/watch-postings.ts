// Every ledger entry must balance, and no account may have the wrong sign. Each balance must equal the sum of its postings,
// which this file adds up separately from the store.
import { parseLedgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import type { Entry } from '../../../src/domain/ledger/ledger.ts';
import type { WatchParts } from './watch-parts.ts';

export interface PostingsWatch {
  readonly posted: ReadonlyMap<string, bigint>;
  post(entry: Entry): void;
  restored(): void;
}

export function watchPostings({ tables, broken }: WatchParts): PostingsWatch {
  const posted = new Map<string, bigint>();
  const touched = new Map<string, string>();

  const post = (entry: Entry) => {
    const sums = new Map<string, bigint>();
    for (const { account, amountMinor } of entry.postings) {
      const { mode, asset, side } = parseLedgerKey(account);
      sums.set(`${mode} ${asset}`, (sums.get(`${mode} ${asset}`) ?? 0n) + amountMinor);
      const balance = (posted.get(account) ?? 0n) + amountMinor;
      posted.set(account, balance);
      if (touched.size === 0) queueMicrotask(balancesAgree);
      touched.set(account, entry.subjectId);
      if (side === 'debit' ? balance < 0n : balance > 0n)
        broken(
          'no account stands on its wrong side',
          `${account} at ${balance} by ${entry.event}`,
          entry.subjectId,
        );
    }
    for (const [asset, sum] of sums)
      if (sum !== 0n)
        broken('every entry balances', `${entry.event} leaves ${sum} of ${asset}`, entry.subjectId);
  };
  /** The check runs after the whole commit, because the store writes a batch before any observer sees its changes. */
  const balancesAgree = () => {
    for (const [account, subjectId] of touched)
      if ((tables().accounts.get(account) ?? 0n) !== posted.get(account))
        broken(
          'balances equal their postings',
          `${account}: ${tables().accounts.get(account)} and ${posted.get(account)}`,
          subjectId,
        );
    touched.clear();
  };
  const restored = () => {
    posted.clear();
    touched.clear();
    for (const { postings } of tables().entries)
      for (const { account, amountMinor } of postings)
        posted.set(account, (posted.get(account) ?? 0n) + amountMinor);
  };
  return { posted, post, restored };
}
