// Lets so many pieces of work run at the same time; the others wait in the order in which they came. Many clients that come
// back at once must not take all connections to the database.
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
        // The turn is handed on, so that none who comes later goes before.
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
