// Limits how many tasks run at the same time; the others wait in the order of their arrival. Many clients that reconnect at once
// must not take all database connections.
export interface WorkTurns {
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function makeWorkTurns(atOnce: number): WorkTurns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    take: async (work) => {
      if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        // The turn passes to the next waiting task, so that no later task overtakes it.
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
