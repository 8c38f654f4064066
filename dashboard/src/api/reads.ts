// Reads the data of pages. The documented path determines the type of the response. The URL identifies a read, so that a change
// can list the URLs that are stale after it.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type AddressOf, type AnswerOf, type Argument, get, type PathOf } from './calls.ts';
import { type Address, fillPath } from './url.ts';

interface ReadOptions {
  /** The refresh interval in milliseconds, for pages without a live stream. */
  readonly refetchMs?: number;
  /** True means that the page shows the last response while the next one is loading. Pages with filters use it. */
  readonly keepPrevious?: boolean;
  /** False means that the read does not start yet. */
  readonly enabled?: boolean;
}

export function useRead<P extends PathOf<'get'>>(
  path: P,
  ...[given]: Argument<AddressOf<'get', P> & ReadOptions>
) {
  const {
    refetchMs,
    keepPrevious = false,
    enabled = true,
    ...address
  } = (given ?? {}) as Address & ReadOptions;
  return useQuery<AnswerOf<'get', P>>({
    queryKey: keyOf(path, address),
    queryFn: ({ signal }) => get(path, address as AddressOf<'get', P>, signal),
    enabled,
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

const keyOf = (path: string, address: Address) => ['console', fillPath(path, address)] as const;

type ListPath = {
  [P in PathOf<'get'>]: AnswerOf<'get', P> extends Page ? P : never;
}[PathOf<'get'>];

interface Page {
  readonly next_cursor: string | null;
}

type Lists<Answer> = {
  [Name in keyof Answer]: Answer[Name] extends readonly unknown[] ? Name : never;
}[keyof Answer];

type Row<Answer, Name extends keyof Answer> = Answer[Name] extends readonly (infer Each)[] ? Each : never;

/** A list that is read page by page with a cursor, for DataTable. `first` is the first response with all of its members. */
export function useList<P extends ListPath, Name extends Lists<AnswerOf<'get', P>>>(
  path: P,
  member: Name,
  ...[given]: Argument<AddressOf<'get', P>>
) {
  type Answer = AnswerOf<'get', P>;
  const address = (given ?? {}) as Address;
  const query = useInfiniteQuery({
    queryKey: keyOf(path, address),
    queryFn: ({ pageParam, signal }) =>
      get(
        path,
        { ...address, query: { ...address.query, cursor: pageParam } } as AddressOf<'get', P>,
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last as Page).next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => (page as Answer)[member] as Row<Answer, Name>[]);
  return {
    rows,
    first: query.data?.pages[0] as Answer | undefined,
    error: query.error,
    loading: query.isPending,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}
