// The troubles of a local network during payments, each with a name. The caller decides when a trouble starts and how long it
// lasts. The details are random, but a seed makes them repeatable.
import { setTimeout as sleep } from 'node:timers/promises';

/** Draws an integer from lowest to highest, both included. */
export type Draw = (lowest: number, highest: number) => number;

export interface Trouble {
  readonly name: string;
  /** Whether the trouble waits for the next payment or block that it affects, or lasts for a fixed time. */
  readonly when: 'next' | 'while';
  /** How long the trouble may last, in milliseconds, if the block interval is 200 ms. */
  readonly lastsMs: readonly [lowest: number, highest: number];
  /** Set if the trouble delays payments for longer than a short run should last. */
  readonly slow?: true;
  begin(draw: Draw): BegunTrouble;
}

export interface BegunTrouble {
  met(): number;
  over(): boolean;
  end(): Promise<void>;
}

/** The trouble waits for the next payments or blocks that it affects, and ends after them. */
export const LASTS_FOR_NEXT = { when: 'next', lastsMs: [10_000, 15_000] } as const;
export const LASTS_A_WHILE = { when: 'while', lastsMs: [800, 4_000] } as const;
/** Longer than any sender waits. By then the sender has given up or was killed. */
export const PAST_PATIENCE_MS = 11_000;

export function countedTrouble(
  fault: { met(): number; clear(): void },
  times = Number.POSITIVE_INFINITY,
): BegunTrouble {
  return { met: fault.met, over: () => fault.met() >= times, end: async () => fault.clear() };
}

/**
 * Selects one of the two providers. The choice stays the same while that provider has any trouble, so that the other provider
 * always works.
 */
export function makeWeakProvider() {
  let users = 0;
  let weak: 0 | 1 = 0;
  return {
    begin: (draw: Draw, fault: (provider: 0 | 1) => BegunTrouble): BegunTrouble => {
      const drawn = draw(0, 1) as 0 | 1;
      if (users++ === 0) weak = drawn;
      const begun = fault(weak);
      return {
        ...begun,
        end: async () => {
          users--;
          await begun.end();
        },
      };
    },
  };
}

const LOOK_EVERY_MS = 20;

/** A trouble that happens once, as soon as possible. `happen` returns how many requests or transactions it affected. */
export function awaitedTrouble(
  happen: () => Promise<number>,
  before: { met(): number; clear(): void } = { met: () => 0, clear: () => undefined },
): BegunTrouble {
  let ended = false;
  let happened = 0;
  const watch = async () => {
    while (!ended && happened === 0) {
      happened = await happen();
      if (happened === 0) await sleep(LOOK_EVERY_MS);
    }
  };
  const watching = watch();
  return {
    met: () => Math.max(happened, before.met()),
    over: () => happened > 0,
    end: async () => {
      ended = true;
      await watching;
      before.clear();
    },
  };
}
