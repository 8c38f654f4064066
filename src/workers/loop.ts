// Repeats a piece of work until it is stopped. A failure is reported, and the next turn tries the work again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from '../ports/operations/guards.ts';

export interface Loop {
  /** Resolves when the turn in progress is finished; no further turn starts. */
  stop(): Promise<void>;
}

export function startLoop(options: {
  readonly everyMs: number;
  readonly turn: () => Promise<void>;
  readonly onError: (error: Error) => void;
  /** For work that detects missing money: the outcome of each turn is reported here. */
  readonly guard?: Guard;
}): Loop {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await options.turn().then(options.guard?.completed, (error: Error) => {
        options.guard?.failed(error);
        options.onError(error);
      });
      // A small random variation, so that processes that started together do not stay in step.
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

/** Combines several loops into one, which has stopped when all of them have stopped. */
export function combineLoops(loops: readonly Loop[]): Loop {
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
