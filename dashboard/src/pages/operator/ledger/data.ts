// Reads of the ledger.
import { useList, useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';

export function useBalances(mode: Mode) {
  return useRead('/operator/ledger/{mode}', { params: { mode } });
}

/** The account comes with every page of its postings. */
export function useAccount(mode: Mode, accountId: string) {
  const { first, rows, ...list } = useList('/operator/ledger/{mode}/accounts/{account_id}', 'postings', {
    params: { mode, account_id: accountId },
  });
  return { ...list, account: first?.account, decimals: first?.decimals ?? null, postings: rows };
}

export function useEntry(entryId: string) {
  return useRead('/operator/ledger/entries/{record_id}', { params: { record_id: entryId } });
}

/** `recordId` null: there is none. */
export function useEntriesAbout(recordId: string | null) {
  return useRead('/operator/ledger/records/{record_id}', {
    params: { record_id: recordId ?? '' },
    when: recordId !== null,
  });
}
