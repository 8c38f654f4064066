// What became of mutants, kept in a file after each one: a run that was stopped goes on where it was. Shown as a table and as JSON.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './draw.ts';

export type Verdict =
  | { readonly kind: 'caught'; readonly by: string }
  /** Every test that can reach it passed. */
  | { readonly kind: 'missed'; readonly tests: number }
  /** Time was up after so many test files, all of which passed. */
  | { readonly kind: 'limit'; readonly tests: number };

export interface Result extends Omit<Mutant, 'text'> {
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface Results {
  /** What is known of this very mutant. */
  find(mutant: Mutant): Result | undefined;
  keep(mutant: Mutant, verdict: Verdict, seconds: number): Result;
}

export function openResults(file: string): Results {
  const kept = new Map<string, Result>(read(file).map((result) => [result.id, result]));
  return {
    find: ({ id, index }) => {
      const known = kept.get(id);
      return known === undefined ? undefined : { ...known, index };
    },
    keep: ({ text: _, ...mutant }, verdict, seconds) => {
      const result: Result = { ...mutant, verdict, seconds: Math.round(seconds * 10) / 10 };
      kept.set(mutant.id, result);
      mkdirSync(path.dirname(file), { recursive: true });
      // Whole or not at all: the run may be stopped at any moment.
      writeFileSync(`${file}.new`, `${JSON.stringify([...kept.values()], null, 1)}\n`);
      renameSync(`${file}.new`, file);
      return result;
    },
  };
}

function read(file: string): readonly Result[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result[]) : [];
}

export function lineOfResult({ index, kind, file, line, verdict, seconds }: Result): string {
  const said =
    verdict.kind === 'caught'
      ? `caught by ${verdict.by}`
      : verdict.kind === 'missed'
        ? `NOT CAUGHT by ${verdict.tests} test files`
        : `time is up after ${verdict.tests} test files`;
  return `${String(index).padStart(4)}  ${kind.padEnd(14)} ${file}:${line}  ${said} (${seconds} s)`;
}

/** Those that nothing caught last, where they are read. */
export function tableOf(results: readonly Result[]): string {
  const of = (kind: Verdict['kind']) => results.filter(({ verdict }) => verdict.kind === kind);
  const lines = (['caught', 'limit', 'missed'] as const).flatMap((kind) => of(kind).map(lineOfResult));
  const counts = `${of('caught').length} caught, ${of('missed').length} not caught, ${of('limit').length} not decided in time`;
  return [...lines, '', `${results.length} mutants: ${counts}`].join('\n');
}
