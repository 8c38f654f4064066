// Keeps a chaos run busy. Errands begin one after another, the same number for each kill, so that every kill interrupts work.
import { until } from '../patience.ts';
import type { Clients } from './clients.ts';

export interface Flow {
  /** Resolves when all errands that belong to the first `blows` kills or stops are done. Lets the next errands begin. */
  upTo(blows: number): Promise<void>;
  rest(): Promise<void>;
}

export interface FlowOptions {
  readonly clients: Clients;
  readonly errands: number;
  readonly blows: number;
  readonly gapMs: number;
  readonly check: () => void;
}

/** Errands may begin this many kills or stops before their own kill or stop. */
const AHEAD = 6;
const TICK_MS = 20;

export function startFlow({ clients, errands, blows, gapMs, check }: FlowOptions): Flow {
  const perBlow = errands / (blows + 1);
  const shareOf = (blow: number) => Math.min(errands, Math.floor(perBlow * blow));
  let failure: unknown;
  clients.done.catch((error: unknown) => {
    failure = error;
  });
  const answered = (count: number) =>
    until(`${count} errands are answered`, () => {
      if (failure !== undefined) throw failure;
      check();
      return clients.finished() >= count;
    });
  let ceiling = 0;
  let released = 0;
  const timer = setInterval(() => {
    released = Math.min(ceiling, released + (perBlow * TICK_MS) / gapMs);
    clients.release(Math.floor(released));
  }, TICK_MS).unref();
  return {
    upTo: (blow) => {
      ceiling = shareOf(blow + AHEAD);
      return answered(shareOf(blow));
    },
    rest: async () => {
      clearInterval(timer);
      clients.release(errands);
      await clients.done;
    },
  };
}
