// The ledger as the service answers it.
import { useInfiniteQuery } from '@tanstack/react-query';
import { get } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';

export interface LedgerAccount {
  readonly account_id: string;
  readonly key: string;
  readonly name: string;
  /** The bank account, of money in a vendor's account. */
  readonly detail: string | null;
  readonly meaning: string;
  /** "NGN", or "NGNC@Polygon". */
  readonly asset: string;
  readonly side: Side;
}

export type Side = 'debit' | 'credit';

export interface AccountBalance extends LedgerAccount {
  readonly balance: string;
}

export interface AssetBalances {
  readonly asset: string;
  readonly decimals: number | null;
  readonly debits: string;
  readonly credits: string;
  readonly sum: string;
  readonly accounts: readonly AccountBalance[];
}

interface EntryHead {
  readonly entry_id: string;
  readonly event: string;
  readonly record_id: string;
  readonly transaction_id: string | null;
  readonly at: string;
}

export interface AccountPosting extends EntryHead {
  readonly side: Side;
  readonly amount: string;
}

export interface EntryPosting {
  readonly account: LedgerAccount;
  readonly decimals: number | null;
  readonly side: Side;
  readonly amount: string;
}

export interface LedgerEntry extends EntryHead {
  readonly postings: readonly EntryPosting[];
}

const LEDGER = '/operator/ledger';

export function useBalances(mode: string) {
  return useRead<{ readonly as_of: string; readonly assets: readonly AssetBalances[] }>(`${LEDGER}/${mode}`);
}

interface AccountPage {
  readonly account: AccountBalance;
  readonly decimals: number | null;
  readonly postings: readonly AccountPosting[];
  readonly next_cursor: string | null;
}

/** The account comes with every page of its postings. */
export function useAccount(mode: string, accountId: string) {
  const path = `${LEDGER}/${mode}/accounts/${encodeURIComponent(accountId)}`;
  const query = useInfiniteQuery({
    queryKey: ['console', path],
    queryFn: ({ pageParam, signal }) =>
      get<AccountPage>(pageParam === null ? path : `${path}?cursor=${pageParam}`, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AccountPage) => last.next_cursor ?? undefined,
  });
  const first = query.data?.pages[0];
  return {
    account: first?.account,
    decimals: first?.decimals ?? null,
    postings: query.data?.pages.flatMap(({ postings }) => postings),
    error: query.error,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}

export function useEntry(entryId: string) {
  return useRead<{ readonly entry: LedgerEntry }>(`${LEDGER}/entries/${encodeURIComponent(entryId)}`);
}

/** `recordId` null: there is none. */
export function useEntriesAbout(recordId: string | null) {
  return useRead<{ readonly entries: readonly LedgerEntry[] }>(
    recordId === null ? null : `${LEDGER}/records/${encodeURIComponent(recordId)}`,
  );
}
