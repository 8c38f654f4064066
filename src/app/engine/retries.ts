// Work that goes wrong: it holds up no other, and is tried again after a while.
import type { Needs } from './deps.ts';

/**
 * A step for each, apart from the others: one that goes wrong must not hold them up. `rethrow` throws its error once the rest
 * was worked on; its own turn comes again when its lease ends.
 */
export async function apart<Item, Outcome>(
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
export function backOffMs({ entropy }: Needs<'entropy'>, tries: number, firstMs: number): number {
  const doubled = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(Math.max(tries - 1, 0), 20));
  const [chance] = entropy.bytes(1);
  return Math.round((doubled * (192 + (chance ?? 0) / 2)) / 256);
}
