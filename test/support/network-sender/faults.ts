// Causes faults on the local networks while a sender pays there. Faults run one after another, and each kind occurs before any
// kind is repeated. The seed determines their order and pauses. The file counts how many faults began, and how many requests or
// transactions they affected.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalNetwork } from '../../../local-networks/local-network.ts';
import type { BegunTrouble, Trouble } from '../../../local-networks/trouble.ts';
import { type Dice, makeDice } from '../dice.ts';

interface Measure {
  readonly lanes: number;
  readonly longestPauseMs: number;
}

const MEASURES = {
  none: { lanes: 0, longestPauseMs: 0 },
  some: { lanes: 1, longestPauseMs: 2_000 },
  many: { lanes: 2, longestPauseMs: 500 },
} as const satisfies Record<string, Measure>;

export type FaultLevel = keyof typeof MEASURES;
export const FAULT_LEVELS = Object.keys(MEASURES) as readonly FaultLevel[];

export interface FaultCount {
  readonly network: string;
  readonly name: string;
  readonly begun: number;
  readonly met: number;
}

export interface RunningFaults {
  /** Ends the faults, so that everything works again. Returns the counts, including kinds of faults that never began. */
  end(): Promise<readonly FaultCount[]>;
}

export interface FaultOptions {
  readonly level: FaultLevel;
  readonly seed: string;
  readonly slow: boolean;
}

/** The two sorts run separately, because faults that wait for something would delay the others. */
const SORTS: readonly Trouble['when'][] = ['next', 'while'];

interface Count {
  begun: number;
  met: number;
}

const LOOK_EVERY_MS = 20;
/** One in this many rounds of the other faults includes a fault with a long delay. */
const SLOW = 2;

export function startFaults(
  networks: readonly LocalNetwork[],
  { level, seed, slow }: FaultOptions,
): RunningFaults {
  const { lanes, longestPauseMs }: Measure = MEASURES[level];
  const ending = new AbortController();
  const kinds = networks.flatMap(({ name: network, troubles }) => {
    const fit = troubles.filter((each) => slow || each.slow !== true);
    return [{ network, troubles: fit, counts: new Map(fit.map(({ name }) => [name, { begun: 0, met: 0 }])) }];
  });
  const running = kinds.flatMap(({ network, troubles, counts }) =>
    Array.from({ length: lanes }, (_, lane) =>
      SORTS.map((sort) => {
        const dice = makeDice(`${seed} faults ${network} ${sort} ${lane}`);
        const own = troubles.filter(({ when }) => when === sort);
        return oneAfterAnother(dice, own, counts, { longestPauseMs, ending: ending.signal });
      }),
    ).flat(),
  );
  return {
    end: async () => {
      ending.abort();
      await Promise.all(running);
      return kinds.flatMap(({ network, counts }) =>
        [...counts].map(([name, { begun, met }]) => ({ network, name, begun, met })),
      );
    },
  };
}

async function oneAfterAnother(
  dice: Dice,
  troubles: readonly Trouble[],
  counts: ReadonlyMap<string, Count>,
  { longestPauseMs, ending }: { readonly longestPauseMs: number; readonly ending: AbortSignal },
): Promise<void> {
  for (let deck: Trouble[] = []; !ending.aborted; ) {
    if (deck.length === 0) {
      const slow = dice.below(SLOW) === 0;
      deck = shuffled(
        dice,
        troubles.filter((each) => slow || each.slow !== true),
      );
    }
    const trouble = deck.pop()!;
    await untilOver(dice.below(longestPauseMs), ending);
    if (ending.aborted) return;
    const count = counts.get(trouble.name)!;
    const lastsMs = dice.between(...trouble.lastsMs);
    const begun = trouble.begin(dice.between);
    count.begun++;
    await untilOver(lastsMs, ending, begun);
    await begun.end();
    count.met += begun.met();
  }
}

async function untilOver(ms: number, ending: AbortSignal, trouble?: BegunTrouble): Promise<void> {
  const endsAt = performance.now() + ms;
  while (!ending.aborted && performance.now() < endsAt && trouble?.over() !== true)
    await sleep(LOOK_EVERY_MS);
}

function shuffled<Item>(dice: Dice, items: readonly Item[]): Item[] {
  const deck = [...items];
  for (let last = deck.length - 1; last > 0; last--) {
    const other = dice.below(last + 1);
    [deck[last], deck[other]] = [deck[other]!, deck[last]!];
  }
  return deck;
}
