// What goes wrong, and how often. Whether a fault is met is drawn from the seed, the place and how often that place was
// passed before, so leaving one fault out leaves most of the others where they are: that is what shrinking needs.
import { type Dice, mix } from './dice.ts';

/** Of ten thousand passes, how many meet it in a seed that has this fault at all. */
const RATES = {
  // a process and its machine
  crash_before: 40,
  crash_after: 40,
  pause: 15,
  // the database
  database_away: 60,
  answer_lost: 60,
  commit_late: 30,
  commit_partly: 60,
  // calls to banks and networks
  call_lost: 120,
  call_answer_lost: 120,
  call_late: 60,
  call_doubled: 100,
  call_answer_late: 80,
  // work handed from stage to stage, and news
  handover_lost: 300,
  handover_doubled: 200,
  handover_delayed: 300,
  news_lost: 500,
  // clients
  request_lost: 300,
  request_doubled: 400,
} as const;

export type Fault = keyof typeof RATES;
export const FAULTS = Object.keys(RATES) as readonly Fault[];

export interface Faults {
  /** One of these, or, mostly, none. */
  meets(place: string, kinds: readonly Fault[]): Fault | undefined;
  /** From here on nothing goes wrong any more. */
  end(): void;
  /** Every fault that was met, as `fault place#pass`, in order. */
  readonly met: readonly string[];
}

export interface FaultOptions {
  readonly seed: string;
  readonly dice: Dice;
  /** Only these may happen, as `met` names them; undefined: whatever is drawn. */
  readonly only?: ReadonlySet<string>;
}

export function makeFaults({ seed, dice, only }: FaultOptions): Faults {
  const rates = drawRates(dice);
  const salt = mix(seed, 7);
  const passes = new Map<string, number>();
  const met: string[] = [];
  let ended = false;
  return {
    met,
    end: () => {
      ended = true;
    },
    meets: (place, kinds) => {
      if (ended) return undefined;
      const pass = (passes.get(place) ?? 0) + 1;
      passes.set(place, pass);
      let draw = mix(place, salt + pass) % 10_000;
      for (const kind of kinds) {
        draw -= rates[kind];
        if (draw >= 0) continue;
        const name = `${kind} ${place}#${pass}`;
        if (only !== undefined && !only.has(name)) return undefined;
        met.push(name);
        return kind;
      }
      return undefined;
    },
  };
}

/** Every seed has its own weather: a fault may be missing, usual, or everywhere. */
function drawRates(dice: Dice): Readonly<Record<Fault, number>> {
  const rates: Partial<Record<Fault, number>> = {};
  for (const fault of FAULTS) rates[fault] = RATES[fault] * dice.pick([0, 1, 1, 4]);
  return rates as Record<Fault, number>;
}
