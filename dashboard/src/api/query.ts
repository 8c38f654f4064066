// Changes that pages make, and the reads that become stale after them.

import { notifications } from '@mantine/notifications';
import { QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure, failureOf } from './failure.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => error instanceof ApiFailure && error.isTransient && count < 2,
    },
  },
});

/** Refreshes the page's reads below these paths. */
export function useRefresh() {
  const client = useQueryClient();
  return (...prefixes: readonly string[]) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [, path] }) =>
        typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
    });
}

export interface ActionOptions<Input, Answer> {
  /** Paths whose reads are stale after the change. */
  readonly refreshes?: readonly string[];
  /** The text of the notification. */
  readonly done?: string | ((answer: Answer, input: Input) => string);
  readonly onDone?: (answer: Answer, input: Input) => void;
  /** The form itself shows the refusal, so no notification does. */
  readonly quiet?: boolean;
}

/** Runs one change at a time, shows its refusal, and invalidates the reads that it made stale. */
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
