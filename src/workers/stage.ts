// A stage of settlement: takes what is handed to it by the stage before, or what is due in its queue, and works on it in
// batches until it is stopped. Handing over is a short cut: what is lost with a process is still in its queue.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Stage<Item> {
  /** Items this process holds already; they need no lease from the queue. */
  offer(items: readonly Item[]): void;
  /** There may be something to do now. */
  wake(): void;
  /** Resolves when the batch in progress is finished; no other follows. */
  stop(): Promise<void>;
}

export interface StageOptions<Item> {
  /** Takes what is due off the queue, under a lease. */
  readonly lease: (limit: number) => Promise<readonly Item[]>;
  readonly work: (items: readonly Item[]) => Promise<void>;
  readonly maxBatch: number;
  /** Batches in progress at once; a further one only when it is full. */
  readonly lanes?: number;
  /** How long a lane waits for a batch before it takes the next one beside it; missing: until the batch is done. */
  readonly patienceMs?: number;
  /** While false nothing is taken. */
  readonly active?: () => boolean;
  readonly onError: (error: Error) => void;
  /** Called after every batch, with how many records it had and how long they took. */
  readonly onBatch?: (size: number, seconds: number) => void;
}

/** An idle stage looks again after these pauses, longer every time, until something wakes it. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const AFTER_ERROR_MS = 500;
/** A stage with little to do at once takes no more turns than this allows. */
const GATHER_MS = 20;
/** Where work is handed over all the time, a queue found empty is not asked again at once. */
const EMPTY_FOR_MS = 25;
/** Batches that may go on beside the one in progress. */
const MOST_SLOW = 256;
/** Every so many turns the queue is asked first. */
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
      // Their lease brings them back.
      offered = [];
      return [];
    }
    if (lane > 0 && offered.length < options.maxBatch) return [];
    // What is only in the queue has its turn too, however much is handed over.
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
          // More is gathered meanwhile: a larger batch costs little more than a small one.
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

/** A batch that takes long goes on beside the next ones: one slow bank or network must not hold up the others. */
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

/** Answers how long the batch took. */
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

/** Where lanes with nothing to do sleep, until their time is over, they are woken, or the stage stops. */
function makeIdleSleep(stopping: AbortSignal) {
  const resting = new Set<() => void>();
  return {
    wake: () => {
      for (const rouse of resting) rouse();
    },
    rest: async (forMs: number) => {
      let rouse = () => {};
      const woken = new Promise<void>((resolve) => {
        rouse = resolve;
      });
      resting.add(rouse);
      const waking = new AbortController();
      const signal = AbortSignal.any([stopping, waking.signal]);
      await Promise.race([woken, sleep(forMs, undefined, { signal, ref: false }).catch(() => undefined)]);
      waking.abort();
      resting.delete(rouse);
    },
  };
}
