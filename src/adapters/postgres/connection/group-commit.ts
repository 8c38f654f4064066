// Group commit: items that arrive while a write is under way share the next one, so a thousand callers cost a few
// fsyncs. Items that claim the same unique key never share a write: the later one waits and then finds the earlier.

export interface GroupCommitOptions<Item, Outcome> {
  /** Writes a batch durably and answers in its order. A single outcome may be an error for that item alone. */
  readonly write: (batch: readonly Item[]) => Promise<readonly (Outcome | Error)[]>;
  /** The unique keys an item claims. */
  readonly keysOf: (item: Item) => readonly string[];
  readonly maxBatch: number;
  /** Writes under way at once. */
  readonly lanes: number;
  /** A further write starts only beside one that takes longer than this: otherwise a larger next batch is cheaper. */
  readonly patienceMs: number;
}

export interface GroupCommit<Item, Outcome> {
  submit(item: Item): Promise<Outcome>;
  /** Resolves when everything submitted so far is settled. */
  drain(): Promise<void>;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export function makeGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  let queue: Waiting<Item, Outcome>[] = [];
  let writing = 0;
  let unanswered = 0;
  let startedAtMs = 0;
  let scheduled = false;
  let waiting = false;
  /** Who holds a key now, and who waits for it in order. */
  const held = new Map<string, (() => void)[]>();
  let idle: (() => void)[] = [];

  const schedule = () => {
    if (scheduled || writing >= options.lanes || queue.length === 0) return;
    if (writing > 0) {
      const waitMs = startedAtMs + options.patienceMs - performance.now();
      if (waitMs > 0) {
        if (waiting) return;
        waiting = true;
        setTimeout(() => {
          waiting = false;
          schedule();
        }, waitMs).unref();
        return;
      }
    }
    scheduled = true;
    // After this turn's reads: every request that is already here shares the write.
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

  const write = async (batch: Waiting<Item, Outcome>[]): Promise<void> => {
    let outcomes: readonly (Outcome | Error)[];
    try {
      outcomes = await options.write(batch.map((waiting) => waiting.item));
    } catch (error) {
      outcomes = batch.map(() => error as Error);
    }
    writing--;
    if (queue.length === 0) return answer(batch, outcomes);
    // The next batch goes first: it is being written while these callers are answered.
    flush();
    setImmediate(answer, batch, outcomes);
  };

  const answer = (batch: Waiting<Item, Outcome>[], outcomes: readonly (Outcome | Error)[]) => {
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) waiting.reject(outcome);
      else waiting.resolve(outcome as Outcome);
    }
    for (const waiting of batch) releaseKeys(waiting.keys);
    unanswered -= batch.length;
    schedule();
    if (unanswered === 0 && queue.length === 0) {
      for (const wake of idle) wake();
      idle = [];
    }
  };

  const releaseKeys = (keys: readonly string[]) => {
    for (const key of keys) {
      const waiters = held.get(key);
      held.delete(key);
      for (const wake of waiters ?? []) wake();
    }
  };

  const enqueue = (waiting: Waiting<Item, Outcome>) => {
    for (const key of waiting.keys) {
      const waiters = held.get(key);
      if (waiters !== undefined) {
        waiters.push(() => enqueue(waiting));
        return;
      }
    }
    for (const key of waiting.keys) held.set(key, []);
    queue.push(waiting);
    schedule();
  };

  return {
    submit: (item) =>
      new Promise<Outcome>((resolve, reject) => {
        enqueue({ item, keys: options.keysOf(item), resolve, reject });
      }),
    drain: () =>
      unanswered === 0 && queue.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idle.push(resolve)),
  };
}
