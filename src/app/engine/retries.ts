// Handles work that fails: failed work does not block other work, and is tried again later.
import type { PickDeps } from './deps.ts';

/**
 * Runs a step for each item separately, so that a failing item does not block the others. After all items, `rethrow` throws the
 * error of a failed item. The failed item is tried again when its lease ends.
 */
export async function runEach<Item, Outcome>(
  items: readonly Item[],
  step: (item: Item, index: number) => Promise<Outcome>,
): Promise<{
  readonly done: readonly { readonly item: Item; readonly outcome: Outcome }[];
  readonly rethrow: () => void;
}> {
  const ends = await Promise.allSettled(items.map(async (item, index) => step(item, index)));
  const done = ends.flatMap((end, index) =>
    end.status === 'fulfilled' ? [{ item: items[index]!, outcome: end.value }] : [],
  );
  const failure = ends.find((end) => end.status === 'rejected');
  return {
    done,
    rethrow: () => {
      if (failure !== undefined) throw failure.reason;
    },
  };
}

const LONGEST_MS = 5 * 60_000;

/**
 * The pause doubles with every try, up to five minutes. It has a random part, so that items that failed together are not tried
 * again together.
 */
export function backOffMs({ entropy }: PickDeps<'entropy'>, tries: number, firstMs: number): number {
  const doubled = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(Math.max(tries - 1, 0), 20));
  const [chance] = entropy.bytes(1);
  return Math.round((doubled * (192 + (chance ?? 0) / 2)) / 256);
}

// Processes items in batches as they become ready. Items that become ready while a batch runs share the next batch. No item
// waits for an item that is not ready.

/**
 * `work` must return its results in the order of its items. If `work` throws, every item of that batch fails with this error.
 */
export function makeBatcher<Item, Outcome>(
  work: (items: readonly Item[]) => Promise<readonly Outcome[]>,
): (item: Item) => Promise<Outcome> {
  let waiting: { readonly item: Item; readonly done: PromiseWithResolvers<Outcome> }[] = [];
  let isRunning = false;
  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const outcomes = await work(batch.map(({ item }) => item));
        for (const [index, { done }] of batch.entries()) done.resolve(outcomes[index]!);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    isRunning = false;
  };
  return (item) => {
    const done = Promise.withResolvers<Outcome>();
    waiting.push({ item, done });
    if (!isRunning) {
      isRunning = true;
      // Items that become ready in the same turn of the event loop join the batch.
      queueMicrotask(() => void run());
    }
    return done.promise;
  };
}
