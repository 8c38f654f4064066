// Runs a stage of settlement. The stage takes items from the previous stage or due items from its queue, and processes them in
// batches until it is stopped. Passing items between stages is only a shortcut: items that a dying process loses are still in
// the queue.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Stage<Item> {
  /** Adds items that this process has already leased, so the stage does not lease them from the queue. */
  offer(items: readonly Item[]): void;
  wake(): void;
  /** Resolves when the batch in progress is finished. After this call no further batch starts. */
  stop(): Promise<void>;
}

export interface StageOptions<Item> {
  readonly lease: (limit: number) => Promise<readonly Item[]>;
  readonly work: (items: readonly Item[]) => Promise<void>;
  readonly maxBatch: number;
  /** The maximum number of concurrent batches. An additional batch starts only if it is full. */
  readonly lanes?: number;
  /**
   * A lane waits this long for a batch before it starts the next batch in parallel. If it is missing, the lane waits until the
   * batch is finished.
   */
  readonly patienceMs?: number;
  /** While this returns false, the stage takes no items. */
  readonly active?: () => boolean;
  readonly onError: (error: Error) => void;
  readonly onBatch?: (size: number, seconds: number) => void;
}

/** An idle stage checks its queue again after a pause. The pauses get longer until something wakes the stage. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const AFTER_ERROR_MS = 500;
/** The minimum duration of a turn with few items. */
const GATHER_MS = 20;
/** While other stages keep passing items, the stage does not query an empty queue again for this time. */
const EMPTY_FOR_MS = 25;
/** The maximum number of slow batches that run in parallel. */
const MOST_SLOW = 256;
/** Once in this many turns, the stage queries its queue before it takes passed items. */
const QUEUE_EVERY = 8;

export function startStage<Item>(options: StageOptions<Item>): Stage<Item> {
  const stopping = new AbortController();
  let offered: Item[] = [];
  let pauseMs = SHORTEST_PAUSE_MS;
  const idle = makeIdleSleep(stopping.signal);
  let emptyUntilMs = 0;
  let turns = 0;

  const take = async (lane: number): Promise<readonly Item[]> => {
    if (options.active !== undefined && !options.active()) {
      // The dropped items become due again when their lease ends.
      offered = [];
      return [];
    }
    if (lane > 0 && offered.length < options.maxBatch) return [];
    // Items that are only in the queue also get a turn, even if other stages pass many items.
    const queueFirst = lane === 0 && ++turns % QUEUE_EVERY === 0;
    if (offered.length === 0 || queueFirst) {
      if (performance.now() < emptyUntilMs) return takeOffered();
      const leased = await options.lease(options.maxBatch);
      if (leased.length > 0) return leased;
      emptyUntilMs = performance.now() + EMPTY_FOR_MS;
    }
    return takeOffered();
  };
  const takeOffered = (): readonly Item[] => offered.splice(0, options.maxBatch);
  const pause = (forMs: number) =>
    sleep(forMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const { patiently, rest } = makePatientWork(options, pause);
  const run = async (lane: number) => {
    while (!stopping.signal.aborted) {
      try {
        const items = await take(lane);
        if (items.length > 0) {
          pauseMs = SHORTEST_PAUSE_MS;
          const tookMs = await patiently(items);
          // The stage collects more items during this pause, because a larger batch costs little more than a small batch.
          if (items.length < options.maxBatch && tookMs < GATHER_MS) await pause(GATHER_MS - tookMs);
          continue;
        }
      } catch (error) {
        options.onError(error as Error);
        await idle.rest(AFTER_ERROR_MS);
        continue;
      }
      await idle.rest(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  };
  const wake = () => {
    pauseMs = SHORTEST_PAUSE_MS;
    idle.wake();
  };
  const running = Promise.all(Array.from({ length: options.lanes ?? 1 }, (_, lane) => run(lane)));
  return {
    offer: (items) => {
      if (items.length === 0) return;
      offered.push(...items);
      wake();
    },
    wake,
    stop: async () => {
      stopping.abort();
      idle.wake();
      await running;
      await rest();
    },
  };
}

/** A slow batch continues in parallel with the next batches: one slow bank or network must not delay the others. */
function makePatientWork<Item>(options: StageOptions<Item>, pause: (forMs: number) => Promise<unknown>) {
  const slow = new Set<Promise<unknown>>();
  const patiently = async (items: readonly Item[]): Promise<number> => {
    const { patienceMs } = options;
    if (patienceMs === undefined) return workOnBatch(options, items);
    while (slow.size >= MOST_SLOW) await Promise.race(slow);
    const working = workOnBatch(options, items);
    const isDone = await Promise.race([working.then(() => true), pause(patienceMs).then(() => false)]);
    if (isDone) return working;
    const open: Promise<unknown> = working
      .catch((error) => options.onError(error as Error))
      .finally(() => slow.delete(open));
    slow.add(open);
    return patienceMs;
  };
  return { patiently, rest: () => Promise.all(slow) };
}

async function workOnBatch<Item>(
  { work, onBatch }: StageOptions<Item>,
  items: readonly Item[],
): Promise<number> {
  const startedAtMs = performance.now();
  await work(items);
  const tookMs = performance.now() - startedAtMs;
  onBatch?.(items.length, tookMs / 1_000);
  return tookMs;
}

/** Idle lanes sleep here until their pause is over, something wakes them, or the stage stops. */
function makeIdleSleep(stopping: AbortSignal) {
  const resting = new Set<() => void>();
  return {
    wake: () => {
      for (const rouse of resting) rouse();
    },
    rest: (forMs: number) =>
      new Promise<void>((resolve) => {
        if (stopping.aborted) return resolve();
        // A timer, because an aborted signal creates an error with a stack: an idle service rests dozens of times a second.
        const rouse = () => {
          clearTimeout(timer);
          resting.delete(rouse);
          resolve();
        };
        const timer = setTimeout(rouse, forMs).unref();
        resting.add(rouse);
      }),
  };
}
