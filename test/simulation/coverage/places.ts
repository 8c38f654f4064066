// Names the branches of the product and counts the seeds that reached each branch. Places inside an unreached place have no
// name: an uncalled function is one place, and so is an unreached block.
import { type Range, rangesOf, reachedAt } from './blocks.ts';
import {
  beginsBranch,
  coveredFiles,
  equalLines,
  firstWord,
  lineNumber,
  markedLine,
  textOf,
  unmarked,
} from './source.ts';
import type { Functions, FunctionTally } from './tally.ts';

export interface Place {
  readonly file: string;
  readonly line: number;
  /** The name is unique: the file, the function, and for a branch its line with a mark at the start of the branch. */
  readonly name: string;
  readonly kind: 'file' | 'function' | 'branch';
  readonly seeds: number;
  /** Whether the place was reached while the product was loaded. No seed has to reach such a place. */
  readonly atLoad: boolean;
}

const BRANCH = ' | ';

/** Returns the function that contains a branch, or the name itself if it is a function. */
export function functionOf(name: string): string {
  return name.split(BRANCH)[0]!;
}

/** Whether a name may still be valid: its text exists, perhaps inside code that was not reached. */
export function isThere(name: string): boolean {
  const [file, within] = functionOf(name).split(' ') as [string, string | undefined];
  const line = name.split(BRANCH).slice(1).join(BRANCH);
  const text = coveredFiles().includes(file) ? textOf(file) : '';
  return text.includes(within ?? '') && text !== '' && text.includes(unmarked(line));
}

interface Way {
  readonly ranges: readonly Range[];
  readonly seeds: number;
}

interface Known {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly ways: readonly Way[];
}

type Unnamed = Omit<Place, 'name'> & {
  readonly offset: number;
  readonly within: string;
  readonly withinFrom: number;
  readonly own: boolean;
};

export function placesOf(functions: Functions): readonly Place[] {
  return coveredFiles().flatMap((file) => {
    const called = functions.get(file);
    if (called === undefined)
      return [{ file, line: 1, name: file, kind: 'file' as const, seeds: 0, atLoad: false }];
    return named(placesIn(file, [...called].map(knownOf)));
  });
}

export function isPlayed(functions: Functions, file: string, offset: number): boolean {
  const around = [...(functions.get(file) ?? [])]
    .map(knownOf)
    .filter(({ start, end }) => start <= offset && offset < end);
  const innermost = around.toSorted((a, b) => b.start - a.start || a.end - b.end)[0];
  return innermost !== undefined && reachOf(innermost, offset).seeds > 0;
}

function knownOf([place, { name, ways, atLoad }]: [string, FunctionTally]): Known {
  const [start, end] = place.split('-').map(Number) as [number, number];
  return {
    start,
    end,
    name,
    ways: [
      ...[...ways].map(([pattern, seeds]) => ({ ranges: rangesOf(pattern), seeds })),
      ...[...atLoad].map((pattern) => ({ ranges: rangesOf(pattern), seeds: 0 })),
    ],
  };
}

function placesIn(file: string, functions: readonly Known[]): readonly Unnamed[] {
  const ordered = functions.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return ordered.flatMap((each) => {
    const around = ordered.filter(
      (other) => other !== each && other.start <= each.start && each.end <= other.end,
    );
    // Places inside a function that is never called, or inside a block that never runs, are not listed.
    if (around.some((other) => !isReached(reachOf(other, each.start)))) return [];
    const own = each.name !== '';
    const outer = own ? each : around.findLast(({ name }) => name !== '');
    const of = { within: outer?.name ?? '', withinFrom: outer?.start ?? 0 };
    const called = reachOf(each, each.start);
    const whole = { ...placeAt(file, each.start, called), kind: 'function' as const, ...of, own };
    const branches = isReached(called) ? branchesOf(file, each) : [];
    const parts = branches.map((start) => ({
      ...placeAt(file, start, reachOf(each, start)),
      ...{ kind: 'branch' as const, ...of, own: false },
    }));
    // V8 reports the whole file as a function.
    return each.start === 0 ? parts : [whole, ...parts];
  });
}

interface Reach {
  readonly seeds: number;
  readonly atLoad: boolean;
}

function isReached({ seeds, atLoad }: Reach): boolean {
  return seeds > 0 || atLoad;
}

function reachOf({ ways }: Known, offset: number): Reach {
  let [seeds, atLoad] = [0, false];
  for (const way of ways) {
    if (!reachedAt(way.ranges, offset)) continue;
    if (way.seeds === 0) atLoad = true;
    else seeds += way.seeds;
  }
  return { seeds, atLoad };
}

/**
 * Returns the positions of the first words of the function's blocks. V8 also reports a block after an await. That block begins
 * in the middle of a statement and is not a branch.
 */
function branchesOf(file: string, { ways }: Known): readonly number[] {
  const words = new Set<number>();
  for (const { ranges } of ways)
    for (const { start, end } of ranges.slice(1)) {
      const word = firstWord(file, start);
      if (word < end && beginsBranch(file, word)) words.add(word);
    }
  return [...words].sort((a, b) => a - b);
}

function placeAt(file: string, offset: number, reach: Reach) {
  return { file, line: lineNumber(file, offset), offset, ...reach };
}

/**
 * Places with the same name get a number. For a branch, it is the position of its line among the equal lines of its function.
 */
function named(places: readonly Unnamed[]): readonly Place[] {
  const used = new Map<string, number>();
  return places.map(({ offset, within, withinFrom, own, ...place }) => {
    const { file } = place;
    const whole = `${file} ${within}`;
    const nth = (used.get(whole) ?? 0) + (own ? 1 : 0);
    used.set(whole, nth);
    const plain = own ? whole : `${whole}${BRANCH}${markedLine(file, offset)}`;
    const no = own ? nth : 1 + equalLines(file, withinFrom, offset);
    return { ...place, name: no === 1 ? plain : `${plain} #${no}` };
  });
}
