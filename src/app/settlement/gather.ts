// Things that are ready one by one, and are worked on together where that costs no time: what becomes ready while a batch is under
// way shares the next batch. Nothing waits for what is not ready.

/** `work` answers in the order given. When it throws, every item of that batch fails with its error. */
export function gather<Item, Outcome>(
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
