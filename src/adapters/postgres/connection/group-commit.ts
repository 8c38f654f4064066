// Group commit: items that arrive while a write is running share the next write, so a thousand callers need only a few fsyncs.
// Items with the same unique key never share a write: the later one waits and then finds the row of the earlier one.
import { StoreUnavailable } from '../../../ports/store/store.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /** Writes a batch durably and returns the outcomes in the same order. An outcome may be an error for that item alone. */
  readonly write: (batch: readonly Item[]) => Promise<readonly (Outcome | Error)[]>;
  /** The unique keys that an item will write. */
  readonly keysOf: (item: Item) => readonly string[];
  readonly maxBatch: number;
  /** How many writes may run at the same time. */
  readonly lanes: number;
  /** A second write starts only if the first takes longer than this: otherwise a larger next batch is cheaper. */
  readonly patienceMs: number;
}

export interface GroupCommit<Item, Outcome> {
  submit(item: Item): Promise<Outcome>;
  /** Resolves when everything submitted so far is settled. */
  drain(): Promise<void>;
}

interface WaitingItem<Item, Outcome> {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export function makeGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  let queue: WaitingItem<Item, Outcome>[] = [];
  let writing = 0;
  let unanswered = 0;
  let startedAtMs = 0;
  let scheduled = false;
  const keys = makeKeyHolds();
  const patience = makeSingleTimer();
  let idle: (() => void)[] = [];

  const schedule = () => {
    if (scheduled || writing >= options.lanes || queue.length === 0) return;
    const waitMs = writing === 0 ? 0 : startedAtMs + options.patienceMs - performance.now();
    if (waitMs > 0) return patience.start(waitMs, schedule);
    scheduled = true;
    // This runs after the reads of this event loop turn, so that every request that has arrived shares the write.
    setImmediate(() => {
      scheduled = false;
      flush();
    });
  };

  const flush = () => {
    const batch = queue.slice(0, options.maxBatch);
    queue = queue.slice(options.maxBatch);
    if (batch.length === 0) return;
    writing++;
    unanswered += batch.length;
    startedAtMs = performance.now();
    void write(batch);
    schedule();
  };

  const write = async (batch: WaitingItem<Item, Outcome>[]): Promise<void> => {
    const outcomes = await outcomesOf(batch, options.write);
    writing--;
    if (queue.length === 0) return answer(batch, outcomes);
    // The next batch starts first, so that it is written while these callers get their answers.
    flush();
    setImmediate(answer, batch, outcomes);
  };

  const answer = (batch: WaitingItem<Item, Outcome>[], outcomes: readonly (Outcome | Error)[]) => {
    answerEach(batch, outcomes);
    for (const waiting of batch) keys.release(waiting.keys);
    unanswered -= batch.length;
    schedule();
    if (!isIdle()) return;
    for (const wake of idle) wake();
    idle = [];
  };

  const isIdle = () => unanswered === 0 && queue.length === 0;

  const enqueue = (waiting: WaitingItem<Item, Outcome>) => {
    queue.push(waiting);
    schedule();
  };

  return {
    submit: (item) =>
      new Promise<Outcome>((resolve, reject) => {
        const waiting = { item, keys: options.keysOf(item), resolve, reject };
        keys.hold(waiting.keys, () => enqueue(waiting));
      }),
    drain: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}

/** If a write throws, the error is the outcome of each of its items. */
async function outcomesOf<Item, Outcome>(
  batch: readonly WaitingItem<Item, Outcome>[],
  write: GroupCommitOptions<Item, Outcome>['write'],
): Promise<readonly (Outcome | Error)[]> {
  try {
    return await write(batch.map((waiting) => waiting.item));
  } catch (error) {
    return batch.map(() => error as Error);
  }
}

function answerEach<Item, Outcome>(
  batch: readonly WaitingItem<Item, Outcome>[],
  outcomes: readonly (Outcome | Error)[],
): void {
  for (const [index, waiting] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof Error) waiting.reject(outcome);
    else waiting.resolve(outcome as Outcome);
  }
}

/** A timer that can be started again only after it has fired. */
function makeSingleTimer() {
  let running = false;
  const start = (waitMs: number, work: () => void) => {
    if (running) return;
    running = true;
    setTimeout(() => {
      running = false;
      work();
    }, waitMs).unref();
  };
  return { start };
}

/**
 * Only one item at a time holds a unique key. Items that need a held key wait, and try again in the order in which they arrived.
 */
function makeKeyHolds() {
  const held = new Map<string, (() => void)[]>();
  /** Calls `onHeld` at once when all keys are free; otherwise calls it later, when it holds all of them. */
  const hold = (keys: readonly string[], onHeld: () => void): void => {
    for (const key of keys) {
      const waiters = held.get(key);
      if (waiters !== undefined) {
        waiters.push(() => hold(keys, onHeld));
        return;
      }
    }
    for (const key of keys) held.set(key, []);
    onHeld();
  };
  const release = (keys: readonly string[]): void => {
    for (const key of keys) {
      const waiters = held.get(key);
      held.delete(key);
      for (const wake of waiters ?? []) wake();
    }
  };
  return { hold, release };
}

// After a lost answer the outcome of a write is unknown. The same write is repeated until the database answers; it finds the rows
// that an earlier try may have written.

/** How long a write with a lost answer is retried before the callers get an unknown outcome. */
const RESOLVE_LOST_MS = 5_000;
const RETRY_PAUSE_MS = 100;

export async function retryUntilKnown<T>(write: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + RESOLVE_LOST_MS;
  for (let acted = false; ; ) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      acted ||= error.mayHaveActed;
      if (!acted || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}
