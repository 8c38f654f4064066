// Compares what the seeds reached with what they must reach: everything that is not excused.
import { type Excuse, isWritten, UNWRITTEN } from './excuses.ts';
import { isMove, knownPairs, listedPairs } from './pairs.ts';
import { functionOf, isThere, type Place, placesOf } from './places.ts';
import type { Tally } from './tally.ts';

/** If fewer seeds than this reach a place, no seed may reach it after the next change that shifts the random numbers. */
const RARE_BELOW = 8;
const RARE_UNTIL = 40;

export interface Target {
  readonly name: string;
  readonly seeds: number;
  readonly reached: boolean;
}

type Targets = ReadonlyMap<string, Target>;
type Excuses = ReadonlyMap<string, Excuse>;

export interface Reached {
  readonly seeds: number;
  readonly broken: readonly number[];
  readonly pairs: readonly Target[];
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

/**
 * Returns the problems, one per line: a target that is neither reached nor excused, an unknown move, or an unnecessary excuse.
 */
export function complaints(reached: Reached, excuses: Excuses): readonly string[] {
  const targets = new Map(targetsOf(reached).map((target) => [target.name, target]));
  const unexcused = [...targets.values()]
    .filter((target) => !target.reached && excuseOf(excuses, target.name) === undefined)
    .map(({ name }) => `not reached, and not excused: ${name}`);
  const moves = reached.unlisted
    .filter(({ name }) => isMove(name))
    .map(({ name }) => `a move that pairs.ts does not know: ${name}`);
  const stale = [...excuses].flatMap(([name, excuse]) => {
    const what = staleness(excuse, name, targets, excuses);
    return what === null ? [] : [`${what}: ${name}`];
  });
  return [...unexcused, ...moves, ...stale];
}

/** Returns why an excuse must change; null if the excuse is valid. */
function staleness(excuse: Excuse, name: string, targets: Targets, excuses: Excuses): string | null {
  const target = targets.get(name);
  if (!isWritten(excuse)) return 'excused without a reason';
  if (target === undefined)
    return isHidden(name, targets, excuses) ? null : 'excused, and there is no such thing';
  if (excuse.kind === 'never' && target.reached)
    return `excused as never reached, and ${target.seeds} seeds reach it`;
  if (excuse.kind === 'rare' && target.seeds >= RARE_UNTIL)
    return `excused as rare, and ${target.seeds} seeds reach it`;
  return null;
}

/**
 * Whether the place exists in the product, but inside something that these seeds did not reach. Such a place is not a separate
 * target.
 */
function isHidden(name: string, targets: Targets, excuses: Excuses): boolean {
  const whole = functionOf(name);
  if (!isThere(name) || !whole.includes(' ')) return false;
  if (whole === name || targets.get(whole)?.reached !== true) return true;
  return excuses.entries().some(([each, { kind }]) => kind === 'rare' && functionOf(each) === whole);
}

/** A place inside a rarely reached function is reached even more rarely, so the function's excuse is enough. */
export function excuseOf(excuses: Excuses, name: string): Excuse | undefined {
  const whole = excuses.get(functionOf(name));
  return excuses.get(name) ?? (whole?.kind === 'rare' ? whole : undefined);
}

/**
 * Returns the excuses that are needed now: the old excuses without the unnecessary ones, and new excuses whose reason a person
 * must write.
 */
export function excusesFor(reached: Reached, old: Excuses): Excuses {
  const targets = new Map(targetsOf(reached).map((target) => [target.name, target]));
  const excuseFor = (name: string): Excuse | null => {
    const [target, before] = [targets.get(name), old.get(name)];
    if (target === undefined) return isHidden(name, targets, old) ? before! : null;
    const kind = kindFor(target, before);
    return kind && { kind, reason: before?.kind === kind ? before.reason : UNWRITTEN };
  };
  // Places that were already excused keep their position.
  const names = new Set([...old.keys(), ...targets.keys()]);
  const needed = new Map<string, Excuse>();
  for (const name of names) {
    const excuse = excuseFor(name);
    if (excuse !== null) needed.set(name, excuse);
  }
  for (const name of names)
    if (functionOf(name) !== name && needed.get(functionOf(name))?.kind === 'rare') needed.delete(name);
  return needed;
}

function kindFor({ seeds, reached }: Target, before: Excuse | undefined): Excuse['kind'] | null {
  if (!reached) return before?.kind ?? 'never';
  if (seeds === 0) return null;
  return seeds < RARE_BELOW || (before?.kind === 'rare' && seeds < RARE_UNTIL) ? 'rare' : null;
}

/** Returns the pairs to list from now on: those already listed, and those that enough seeds reach. */
export function pairsToList({ unlisted }: Reached): readonly string[] {
  const enough = unlisted.filter(({ name, seeds }) => seeds >= RARE_BELOW && !isMove(name));
  return [...listedPairs(), ...enough.map(({ name }) => name)];
}
