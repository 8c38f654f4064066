// A clock that only the test advances, for stalled streams and time limits.
import type { Timers } from '../../src/index.ts';

export interface FakeTime {
  readonly timers: Timers;
  pass(ms: number): void;
  waiting(): readonly number[];
}

export function fakeTime(): FakeTime {
  let nowMs = 1_700_000_000_000;
  let next = 1;
  const due = new Map<
    number,
    { readonly atMs: number; readonly delayMs: number; readonly run: () => void }
  >();
  return {
    timers: {
      now: () => nowMs,
      setTimeout(run, delayMs) {
        due.set(next, { atMs: nowMs + delayMs, delayMs, run });
        return next++;
      },
      clearTimeout: (timer) => void due.delete(timer as number),
      random: () => 1,
    },
    pass(ms) {
      nowMs += ms;
      for (const [timer, { atMs, run }] of due) {
        if (atMs > nowMs) continue;
        due.delete(timer);
        run();
      }
    },
    waiting: () => [...due.values()].map(({ delayMs }) => delayMs),
  };
}

export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 5_000) throw new Error(`Never held: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
