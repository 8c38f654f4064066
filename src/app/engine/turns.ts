// Inside one process, work that signs for the same wallet runs one after the other.
import type { Turn } from '../../ports/networks/pays.ts';

/** Where payments have no order, and nothing is known to be in progress. */
export const NO_TURN: Turn = { lastSequence: null, live: 0, inFlightMinor: 0n };

export interface Turns {
  take<Outcome>(name: string, work: () => Promise<Outcome>): Promise<Outcome>;
}

export function makeTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: (name, work) => {
      const before = last.get(name) ?? Promise.resolve();
      const own = before.then(work, work);
      const settled = own.catch(() => undefined);
      last.set(name, settled);
      return own;
    },
  };
}
