// Counts what the seeds of a run reached, by seed: pairs of a state and an event, and the paths through each function. The
// tallies of several threads are added up, so any thread may run any seed.
import type { Look, Pattern } from './blocks.ts';

export interface FunctionTally {
  readonly name: string;
  /** The number of seeds that took each path. A seed that did not call the function is not counted. */
  readonly ways: Map<Pattern, number>;
  readonly atLoad: Set<Pattern>;
}

/** The outer key is the file, and the inner key is the place in the file. */
export type Functions = Map<string, Map<string, FunctionTally>>;

export interface Tally {
  seeds: number;
  readonly functions: Functions;
  readonly pairs: Map<string, number>;
  /** Seeds that broke a promise. Their results do not count. */
  readonly broken: number[];
}

export function emptyTally(): Tally {
  return { seeds: 0, functions: new Map(), pairs: new Map(), broken: [] };
}

export function addLoad({ functions }: Tally, look: Look): void {
  for (const [file, called] of look)
    for (const { place, name, pattern } of called)
      functionAt(functions, file, place, name).atLoad.add(pattern);
}

export function addSeed(tally: Tally, look: Look, pairs: Iterable<string>): void {
  tally.seeds++;
  for (const [file, called] of look)
    for (const { place, name, pattern } of called)
      count(functionAt(tally.functions, file, place, name).ways, pattern, 1);
  for (const pair of pairs) count(tally.pairs, pair, 1);
}

export function addTally(tally: Tally, other: Tally): void {
  tally.seeds += other.seeds;
  tally.broken.push(...other.broken);
  for (const [pair, seeds] of other.pairs) count(tally.pairs, pair, seeds);
  for (const [file, functions] of other.functions)
    for (const [place, { name, ways, atLoad }] of functions) {
      const own = functionAt(tally.functions, file, place, name);
      for (const [pattern, seeds] of ways) count(own.ways, pattern, seeds);
      for (const pattern of atLoad) own.atLoad.add(pattern);
    }
}

function functionAt(functions: Functions, file: string, place: string, name: string): FunctionTally {
  let ofFile = functions.get(file);
  if (ofFile === undefined) {
    ofFile = new Map();
    functions.set(file, ofFile);
  }
  let found = ofFile.get(place);
  if (found === undefined) {
    found = { name, ways: new Map(), atLoad: new Set() };
    ofFile.set(place, found);
  }
  return found;
}

function count(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
