// Runs the changes that pages make, and refreshes the reads that become stale after them.

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

export function useRefresh() {
  const client = useQueryClient();
  return (...prefixes: readonly string[]) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [, path] }) =>
        typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix)),
    });
}

export interface ActionOptions<Input, Answer> {
  readonly refreshes?: readonly string[];
  readonly done?: string | ((answer: Answer, input: Input) => string);
  readonly onDone?: (answer: Answer, input: Input) => void;
  /** True means that the form itself shows the refusal of the service, so the page shows no notification. */
  readonly quiet?: boolean;
}

/**
 * Runs one change at a time and shows a refusal of the service. Afterwards it refreshes the reads that the change made stale.
 */
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
