// Repeats a piece of work until the loop is stopped. The loop reports a failure and tries the work again in the next turn.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from '../ports/operations/guards.ts';

export interface Loop {
  /** Resolves when the turn in progress is finished. After this call no further turn starts. */
  stop(): Promise<void>;
}

export function startLoop(options: {
  readonly everyMs: number;
  readonly turn: () => Promise<void>;
  readonly onError: (error: Error) => void;
  /** The guard of work that detects missing money. The loop reports the outcome of each turn to it. */
  readonly guard?: Guard;
}): Loop {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await options.turn().then(options.guard?.completed, (error: Error) => {
        options.guard?.failed(error);
        options.onError(error);
      });
      // The pause varies a little at random, so that processes that started together do not work at the same moments.
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

export function combineLoops(loops: readonly Loop[]): Loop {
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
