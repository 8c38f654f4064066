// Reads and changes of pages. A read is known by its path, so that whoever changes something names the paths that are old now.

import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { get } from './client.ts';
import { ApiFailure, failureOf } from './failure.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => error instanceof ApiFailure && error.passing && count < 2,
    },
  },
});

interface ReadOptions {
  /** Read again after this many milliseconds, for pages without a stream. */
  readonly everyMs?: number;
  /** Shows the last answer while the next one is on its way, for filters. */
  readonly keepPrevious?: boolean;
}

/** `path` null: nothing is read yet. */
export function useRead<T>(path: string | null, { everyMs, keepPrevious = false }: ReadOptions = {}) {
  return useQuery<T>({
    queryKey: ['console', path],
    queryFn: ({ signal }) => get<T>(path!, signal),
    enabled: path !== null,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** A list that goes on by cursor, as DataTable takes it. `first`: the first answer, with what stands beside the list in it. */
export function useList<Row, First = unknown>(path: string | null, member: string) {
  const query = useInfiniteQuery({
    queryKey: ['console', path],
    queryFn: ({ pageParam, signal }) => get<ListAnswer<Row>>(withCursor(path!, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: ListAnswer<Row>) => last.next_cursor ?? undefined,
    enabled: path !== null,
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => (page[member] ?? []) as Row[]);
  return {
    rows,
    first: query.data?.pages[0] as First | undefined,
    error: query.error,
    loading: query.isPending && path !== null,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}

type ListAnswer<Row> = { readonly next_cursor?: string | null } & {
  readonly [member: string]: Row[] | unknown;
};

function withCursor(path: string, cursor: string | null): string {
  if (cursor === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}

/** Reads again what the page shows below these paths. */
export function useRefresh() {
  const client = useQueryClient();
  return (...prefixes: readonly string[]) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [, path] }) =>
        typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
    });
}

interface ActionOptions<Input, Answer> {
  /** Paths whose reads are old after it. */
  readonly refreshes?: readonly string[];
  /** Said in a notification. */
  readonly done?: string | ((answer: Answer, input: Input) => string);
  readonly onDone?: (answer: Answer, input: Input) => void;
  /** The form shows the refusal itself. */
  readonly quiet?: boolean;
}

/** A change: one at a time, its refusal shown, the reads that it makes old read again. */
export function useAction<Input = void, Answer = unknown>(
  run: (input: Input) => Promise<Answer>,
  { refreshes = [], done, onDone, quiet = false }: ActionOptions<Input, Answer> = {},
) {
  const refresh = useRefresh();
  return useMutation<Answer, Error, Input>({
    mutationFn: run,
    onSuccess: async (answer, input) => {
      if (done !== undefined)
        notifications.show({ message: typeof done === 'string' ? done : done(answer, input) });
      await refresh(...refreshes);
      onDone?.(answer, input);
    },
    onError: (error) => {
      if (!quiet) showFailure(error);
    },
  });
}

export function showFailure(error: unknown): void {
  const { message, requestId } = failureOf(error);
  notifications.show({
    color: 'red',
    title: message,
    message: requestId === null ? '' : `Request ${requestId}`,
    autoClose: 10_000,
  });
}
