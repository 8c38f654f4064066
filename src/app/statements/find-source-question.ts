// The question before an import into a vendor's account that has no credit source: the number of its new rows and their totals.
import type { FileDay } from '../../domain/statements/coverage.ts';
import type { Store } from '../../ports/store/store.ts';
import type { StatementAccount } from './find-statement-account.ts';
import { type MergeRun, mergeDays, type NewRows } from './merge-days.ts';
import { RowProblems } from './read-statement-file.ts';

/**
 * Without a credit source, the incoming rows of a vendor's account are only reports, and every report without a credit becomes a
 * case for two people. The rows are counted before anything is written.
 */
export async function findSourceQuestion(
  { store }: { readonly store: Pick<Store, 'creditSources'> },
  { mode, account, vendorId }: StatementAccount,
  run: MergeRun,
  days: readonly FileDay[],
): Promise<NewRows | null> {
  if (vendorId === null || (await store.creditSources(mode, [account])).has(account)) return null;
  const merged = await mergeDays({ ...run, problems: new RowProblems(), write: false }, days);
  return merged.newRows.incoming === 0 ? null : merged.newRows;
}

export const NO_SOURCE_PROBLEM = {
  total: 1,
  list: [
    {
      ...{ line: 1, column: 1 },
      reason: 'the account has no credit source, and the import was not confirmed: nothing was imported',
    },
  ],
};
