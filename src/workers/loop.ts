// A piece of work done again and again until it is stopped. A failure is reported and waits for the next turn.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from '../ports/operations/guards.ts';

export interface Loop {
  /** Resolves when the turn in progress is finished; no other follows. */
  stop(): Promise<void>;
}

export function startLoop(options: {
  readonly everyMs: number;
  readonly turn: () => Promise<void>;
  readonly onError: (error: Error) => void;
  /** For work that would notice missing money: how each turn ended is reported here. */
  readonly guard?: Guard;
}): Loop {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await options.turn().then(options.guard?.completed, (error: Error) => {
        options.guard?.failed(error);
        options.onError(error);
      });
      // Spread a little, so that processes started together do not stay in step.
      const pauseMs = options.everyMs * (0.9 + Math.random() * 0.2);
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/** Several as one: it has stopped when all of them have. */
export function combineLoops(loops: readonly Loop[]): Loop {
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
