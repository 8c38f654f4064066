// Work that goes wrong: it holds up no other, and is tried again after a while.
import type { PickDeps } from './deps.ts';

/**
 * A step for each, apart from the others: one that goes wrong must not hold them up. `rethrow` throws its error once the rest
 * was worked on; its own turn comes again when its lease ends.
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

/** Twice as long after every try, up to five minutes, and spread so that what failed together does not return together. */
export function backOffMs({ entropy }: PickDeps<'entropy'>, tries: number, firstMs: number): number {
  const doubled = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(Math.max(tries - 1, 0), 20));
  const [chance] = entropy.bytes(1);
  return Math.round((doubled * (192 + (chance ?? 0) / 2)) / 256);
}

// Things that are ready one by one, and are worked on together where that costs no time: what becomes ready while a batch is under
// way shares the next batch. Nothing waits for what is not ready.

/** `work` answers in the order given. When it throws, every item of that batch fails with its error. */
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
      // What becomes ready in the same turn comes along.
      queueMicrotask(() => void run());
    }
    return done.promise;
  };
}
