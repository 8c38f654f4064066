// A stage of settlement: takes what is handed to it by the stage before, or what is due in its queue, and works on it in
// batches until it is stopped. Handing over is a short cut: what is lost with a process is still in its queue.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Stage<Item> {
  /** Items this process holds already; they need no claim. */
  offer(items: readonly Item[]): void;
  /** There may be something to do now. */
  wake(): void;
  /** Resolves when the batch under way is finished; no other follows. */
  stop(): Promise<void>;
}

export interface StageOptions<Item> {
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly work: (items: readonly Item[]) => Promise<void>;
  readonly maxBatch: number;
  /** While false nothing is taken. */
  readonly active?: () => boolean;
  readonly onError: (error: Error) => void;
  /** Told of every batch: how many records it had and how long they took. */
  readonly onBatch?: (size: number, seconds: number) => void;
}

/** An idle stage looks again after these pauses, longer every time, until something wakes it. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const AFTER_ERROR_MS = 500;
/** Where work is handed over all the time, a queue found empty is not asked again at once. */
const EMPTY_FOR_MS = 50;

export function startStage<Item>(options: StageOptions<Item>): Stage<Item> {
  const stopping = new AbortController();
  let offered: Item[] = [];
  let pauseMs = SHORTEST_PAUSE_MS;
  let rouse: (() => void) | undefined;
  let emptyUntilMs = 0;

  const take = async (): Promise<readonly Item[]> => {
    if (options.active !== undefined && !options.active()) return [];
    if (offered.length === 0) {
      if (performance.now() < emptyUntilMs) return [];
      const claimed = await options.claim(options.maxBatch);
      if (claimed.length === 0) emptyUntilMs = performance.now() + EMPTY_FOR_MS;
      return claimed;
    }
    const items = offered.slice(0, options.maxBatch);
    offered = offered.slice(options.maxBatch);
    return items;
  };
  const rest = async (forMs: number) => {
    const woken = new Promise<void>((resolve) => {
      rouse = resolve;
    });
    const waking = new AbortController();
    const signal = AbortSignal.any([stopping.signal, waking.signal]);
    await Promise.race([woken, sleep(forMs, undefined, { signal, ref: false }).catch(() => undefined)]);
    waking.abort();
    rouse = undefined;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const items = await take();
        if (items.length > 0) {
          pauseMs = SHORTEST_PAUSE_MS;
          const startedAtMs = performance.now();
          await options.work(items);
          options.onBatch?.(items.length, (performance.now() - startedAtMs) / 1_000);
          continue;
        }
      } catch (error) {
        options.onError(error as Error);
        await rest(AFTER_ERROR_MS);
        continue;
      }
      await rest(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  };
  const wake = () => {
    pauseMs = SHORTEST_PAUSE_MS;
    rouse?.();
  };
  const running = run();
  return {
    offer: (items) => {
      if (items.length === 0) return;
      offered.push(...items);
      wake();
    },
    wake,
    stop: () => {
      stopping.abort();
      rouse?.();
      return running;
    },
  };
}
