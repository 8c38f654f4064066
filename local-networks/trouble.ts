// What can be made to go wrong on a local network while payments are made on it, each with a name. The caller decides when and
// for how long; the details are drawn, so that a seed gives the same again.
import { setTimeout as sleep } from 'node:timers/promises';

/** A whole number from lowest to highest, both included. */
export type Draw = (lowest: number, highest: number) => number;

export interface Trouble {
  readonly name: string;
  /** Whether it waits for the next payment or block it concerns, or lasts for a while whatever comes. */
  readonly when: 'next' | 'while';
  /** How long it may last, in a beat of 200 ms from block to block. */
  readonly lastsMs: readonly [lowest: number, highest: number];
  /** Holds things up for longer than a short run is to last. */
  readonly slow?: true;
  begin(draw: Draw): BegunTrouble;
}

export interface BegunTrouble {
  /** How many requests or transactions have met it. */
  met(): number;
  /** Nothing more will come of it. */
  over(): boolean;
  end(): Promise<void>;
}

/** The next one or few that it concerns are waited for; it is over when they came. */
export const LASTS_FOR_NEXT = { when: 'next', lastsMs: [10_000, 15_000] } as const;
export const LASTS_A_WHILE = { when: 'while', lastsMs: [800, 4_000] } as const;
/** The sender has given up by then, or is dead. */
export const PAST_PATIENCE_MS = 11_000;

/** A fault that the next so many requests meet, or all until it is taken away. */
export function countedTrouble(
  fault: { met(): number; clear(): void },
  times = Number.POSITIVE_INFINITY,
): BegunTrouble {
  return { met: fault.met, over: () => fault.met() >= times, end: async () => fault.clear() };
}

/** One of the two providers, and the same one as long as it has any trouble: the other is well. */
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

/** Something that happens once, as soon as there is something for it to happen to: `happen` says to how many it did. */
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
