// Compares what seeds reached with what they are to reach: everything there is, except what is excused.
import { type Excuse, isWritten, UNWRITTEN } from './excuses.ts';
import { isMove, knownPairs, listedPairs } from './pairs.ts';
import { type Place, placesOf } from './places.ts';
import type { Tally } from './tally.ts';

/** Reached by fewer seeds than this, it may be reached by none after the next change that moves the dice. */
const RARE_BELOW = 8;
/** By as many, it is rare no more. */
const RARE_UNTIL = 40;

/** A pair or a place, and how many seeds reached it. */
export interface Target {
  readonly name: string;
  readonly seeds: number;
  readonly reached: boolean;
}

export interface Reached {
  readonly seeds: number;
  readonly broken: readonly number[];
  readonly pairs: readonly Target[];
  /** Seen, and in no list. */
  readonly unlisted: readonly Target[];
  readonly places: readonly Place[];
}

export function reachedBy({ seeds, broken, pairs, functions }: Tally): Reached {
  const known = new Set(knownPairs());
  const targetOf = (name: string): Target => {
    const count = pairs.get(name) ?? 0;
    return { name, seeds: count, reached: count > 0 };
  };
  return {
    seeds,
    broken,
    pairs: [...known].sort().map(targetOf),
    unlisted: [...pairs.keys()]
      .filter((pair) => !known.has(pair))
      .sort()
      .map(targetOf),
    places: placesOf(functions),
  };
}

export function targetsOf({ pairs, places }: Reached): readonly Target[] {
  const ofPlace = ({ name, seeds, atLoad }: Place): Target => ({ name, seeds, reached: seeds > 0 || atLoad });
  return [...pairs, ...places.map(ofPlace)];
}

/** What is wrong with it, a line each: not reached and not excused, or excused and not in need of it. */
export function complaints(reached: Reached, excuses: ReadonlyMap<string, Excuse>): readonly string[] {
  const targets = new Map(targetsOf(reached).map((target) => [target.name, target]));
  const unexcused = [...targets.values()]
    .filter((target) => !target.reached && !excuses.has(target.name))
    .map(({ name }) => `not reached, and not excused: ${name}`);
  const moves = reached.unlisted
    .filter(({ name }) => isMove(name))
    .map(({ name }) => `a move that pairs.ts does not know: ${name}`);
  const stale = [...excuses].flatMap(([name, excuse]) => {
    const target = targets.get(name);
    if (!isWritten(excuse)) return [`excused without a reason: ${name}`];
    if (target === undefined) return [`excused, and there is no such thing: ${name}`];
    if (excuse.kind === 'never' && target.reached)
      return [`excused as never reached, and ${target.seeds} seeds reach it: ${name}`];
    if (excuse.kind === 'rare' && target.seeds >= RARE_UNTIL)
      return [`excused as rare, and ${target.seeds} seeds reach it: ${name}`];
    return [];
  });
  return [...unexcused, ...moves, ...stale];
}

/** The excuses that are needed now: those there are, less what needs none, and new ones for a person to explain. */
export function excusesFor(reached: Reached, old: ReadonlyMap<string, Excuse>): ReadonlyMap<string, Excuse> {
  const needed = new Map<string, Excuse>();
  const targets = new Map(targetsOf(reached).map((target) => [target.name, target]));
  const kindOf = ({ seeds, reached: is }: Target, before: Excuse | undefined): Excuse['kind'] | null => {
    if (!is) return before?.kind ?? 'never';
    if (seeds === 0) return null;
    return seeds < RARE_BELOW || (before?.kind === 'rare' && seeds < RARE_UNTIL) ? 'rare' : null;
  };
  const keep = (target: Target) => {
    const before = old.get(target.name);
    const kind = kindOf(target, before);
    if (kind === null) return;
    const reason = before?.kind === kind ? before.reason : UNWRITTEN;
    needed.set(target.name, { kind, reason });
  };
  // What was excused keeps its place.
  for (const name of old.keys()) if (targets.has(name)) keep(targets.get(name)!);
  for (const target of targets.values()) if (!needed.has(target.name)) keep(target);
  return needed;
}

/** The pairs to be listed from now on: those there are, and what enough seeds reach. */
export function pairsToList({ unlisted }: Reached): readonly string[] {
  const enough = unlisted.filter(({ name, seeds }) => seeds >= RARE_BELOW && !isMove(name));
  return [...listedPairs(), ...enough.map(({ name }) => name)];
}
