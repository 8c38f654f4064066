// Reports what the seeds reach, for `npm run simulate -- --coverage`. The text on stdout depends only on the seeds.
import { type Excuse, readExcuses, writeExcuses } from './excuses.ts';
import {
  excuseOf,
  excusesFor,
  pairsToList,
  type Reached,
  reachedBy,
  type Target,
  targetsOf,
} from './judge.ts';
import { writeListedPairs } from './pairs.ts';
import type { Place } from './places.ts';
import { tallySeeds } from './run.ts';

export const COVERAGE_FROM = 1;
export const COVERAGE_SEEDS = 800;

export interface CoverageOptions {
  readonly from: number;
  readonly seeds: number;
  readonly json: boolean;
  /** Whether to regenerate the lists of the test instead of writing a report. */
  readonly write: boolean;
  readonly onDone: (seeds: number) => void;
}

export async function reportCoverage({ from, seeds, json, write, onDone }: CoverageOptions): Promise<void> {
  const reached = reachedBy(await tallySeeds(from, seeds, { exact: true, onDone }));
  const excuses = readExcuses();
  process.exitCode = reached.broken.length === 0 ? 0 : 1;
  if (write && reached.broken.length > 0)
    console.error(`Nothing is written: seeds ${reached.broken.join(', ')} broke a promise.`);
  else if (write) writeLists(reached, excuses);
  else if (json) console.log(JSON.stringify({ from, ...reached }, null, 2));
  else for (const line of linesOf(from, reached, excuses)) console.log(line);
}

function writeLists(reached: Reached, excuses: ReadonlyMap<string, Excuse>): void {
  const listed = pairsToList(reached);
  writeListedPairs(listed);
  const needed = excusesFor(reached, excuses);
  writeExcuses(needed);
  const unwritten = [...needed.values()].filter(({ reason }) => reason === '?').length;
  console.log(`${listed.length} pairs listed, ${needed.size} excuses, ${unwritten} without a reason`);
}

function* linesOf(from: number, reached: Reached, excuses: ReadonlyMap<string, Excuse>): Iterable<string> {
  const { seeds, broken, pairs, unlisted, places } = reached;
  yield `seeds ${from} to ${from + seeds - 1}`;
  yield '\nSTATES AND EVENTS: how many seeds, what happened';
  for (const each of pairs) yield row(each.seeds, each.name);
  yield '\nSEEN, AND IN NO LIST';
  for (const each of unlisted) yield row(each.seeds, each.name);
  yield '\nBRANCHES: how many seeds, the line, what is there';
  for (const [file, inFile] of Map.groupBy(places, ({ file }) => file)) {
    yield `\n${file}: ${reachedOf(inFile, 'function')} functions, ${reachedOf(inFile, 'branch')} branches`;
    for (const place of inFile) yield placeRow(place);
  }
  const missed = targetsOf(reached).filter((target) => !target.reached);
  const lines = new Map(places.map(({ name, line }) => [name, line]));
  yield `\nREACHED BY NONE: ${missed.length}`;
  for (const [reason, names] of Map.groupBy(
    missed,
    ({ name }) => excuseOf(excuses, name)?.reason ?? 'not excused',
  )) {
    yield `\n${reason}`;
    for (const { name } of names) yield `  ${withLine(name, lines.get(name))}`;
  }
  const rows = targetsOf(reached);
  yield `\n${countOf(pairs)} pairs, ${countOf(rows.slice(pairs.length))} places reached; ${unlisted.length} pairs in no list`;
  for (const seed of broken) yield `BROKEN seed ${seed}: npm run simulate -- --seeds 1 --from ${seed}`;
}

function row(seeds: number, text: string): string {
  return `${String(seeds).padStart(6)}  ${text}`;
}

function placeRow({ seeds, atLoad, line, name, file }: Place): string {
  const text = name.slice(file.length + 1);
  return `${seeds === 0 && atLoad ? '  load' : String(seeds).padStart(6)}  ${String(line).padStart(4)}  ${text}`;
}

function withLine(name: string, line: number | undefined): string {
  return line === undefined ? name : name.replace(/^\S+/, (file) => `${file}:${line}`);
}

function reachedOf(places: readonly Place[], kind: Place['kind']): string {
  const all = places.filter((place) => place.kind === kind);
  return `${all.filter(({ seeds, atLoad }) => seeds > 0 || atLoad).length} of ${all.length}`;
}

function countOf(targets: readonly Target[]): string {
  return `${targets.filter(({ reached }) => reached).length} of ${targets.length}`;
}
