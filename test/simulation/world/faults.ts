// The faults, and how often they happen. Whether a fault happens depends on the seed, the place and how often that place was
// passed before. So when one fault is left out, most of the others stay the same, which shrinking needs. Also the chance of the
// outside world, and the failures that a process must expect.

import { type Chance, ConnectionLost } from '../../../src/adapters/simulation/simulation.ts';
import { StoreUnavailable } from '../../../src/ports/store/store.ts';
import { type Dice, makeStream, mix } from '../../support/dice.ts';

/** The number of faults per ten thousand passes of a place, in a seed that has this fault. */
const RATES = {
  crash_before: 60,
  crash_after: 60,
  pause: 22,
  // the database
  database_away: 90,
  answer_lost: 90,
  commit_late: 45,
  commit_partly: 90,
  call_lost: 180,
  call_answer_lost: 180,
  call_late: 90,
  call_doubled: 150,
  call_answer_late: 120,
  handover_lost: 450,
  handover_doubled: 300,
  handover_delayed: 450,
  news_lost: 750,
  // clients
  request_lost: 450,
  request_doubled: 600,
  // Each of these actions of the operator can happen once in a seed.
  halt: 4_000,
  movements_paused: 1_300,
  freeze: 1_300,
  key_change: 2_000,
  restore: 550,
  notice_repeated: 7_000,
  network_lag: 3_000,
  wallets_unready: 7_000,
} as const;

export type Fault = keyof typeof RATES;
export const FAULTS = Object.keys(RATES) as readonly Fault[];

/** A place in a seed where faults can happen. Each call returns one of these faults or, mostly, undefined. */
export type Place = (kinds: readonly Fault[]) => Fault | undefined;

export interface Faults {
  place(name: string): Place;
  end(): void;
  ended(): boolean;
  /** Every fault that happened, in order, as `fault place#pass`. */
  readonly met: readonly string[];
}

export interface FaultOptions {
  readonly seed: string;
  readonly dice: Dice;
  /** Only these faults may happen, with names as in `met`; undefined means any fault that the seed chooses. */
  readonly only?: ReadonlySet<string>;
}

export function makeFaults({ seed, dice, only }: FaultOptions): Faults {
  const rates = drawRates(dice);
  const places = new Map<string, Place>();
  const met: string[] = [];
  let ended = false;
  const makePlace = (name: string): Place => {
    const stream = makeStream(`${seed} ${name}`);
    let pass = 0;
    return (kinds) => {
      if (ended) return undefined;
      pass++;
      let draw = stream() % 10_000;
      for (const kind of kinds) {
        draw -= rates[kind];
        if (draw >= 0) continue;
        const fault = `${kind} ${name}#${pass}`;
        if (only !== undefined && !only.has(fault)) return undefined;
        met.push(fault);
        return kind;
      }
      return undefined;
    };
  };
  return {
    met,
    end: () => {
      ended = true;
    },
    ended: () => ended,
    place: (name) => {
      const known = places.get(name) ?? makePlace(name);
      places.set(name, known);
      return known;
    },
  };
}

/** The fault rates differ between seeds: a fault may be missing, normal or very frequent. */
function drawRates(dice: Dice): Readonly<Record<Fault, number>> {
  const rates: Partial<Record<Fault, number>> = {};
  for (const fault of FAULTS) rates[fault] = RATES[fault] * dice.pick([0, 1, 1, 4]);
  return rates as Record<Fault, number>;
}

// Lists the failures that a simulated process must expect, which are those of the outside world. Any other exception of a use
// case is a bug in the service.

export function expected(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof ConnectionLost;
}

// Makes the random choices of the simulated outside world. It works like makeChance, but with a faster hash, because a seed
// makes a thousand random choices.

export interface QuickChance extends Chance {
  calm(): void;
}

export function quickChance(seed: string, percentNow: () => number): QuickChance {
  const salt = mix(seed, 11);
  let calls = 0;
  let calm = false;
  return {
    trouble: (operation, subject, kinds) => {
      if (calm) return undefined;
      const call = ++calls;
      if (mix(`${operation} ${subject}`, salt + call) % 10_000 >= percentNow() * 100) return undefined;
      return kinds[mix(subject, salt - call) % kinds.length];
    },
    between: (subject, lowest, highest) => lowest + (mix(subject, salt) % (highest - lowest + 1)),
    calm: () => {
      calm = true;
    },
  };
}
