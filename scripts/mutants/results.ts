// Saves the results of mutants in a file after each mutant, so that a stopped run continues after the last result. Shows the
// results as a table and as JSON.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './draw-mutants.ts';

export type MutantVerdict =
  | { readonly kind: 'caught'; readonly by: string }
  /** Every test that can reach the mistake passed. */
  | { readonly kind: 'missed'; readonly tests: number }
  | { readonly kind: 'limit'; readonly tests: number };

export interface MutantResult extends Omit<Mutant, 'text'> {
  readonly verdict: MutantVerdict;
  readonly seconds: number;
}

export interface MutantResults {
  find(mutant: Mutant): MutantResult | undefined;
  keep(mutant: Mutant, verdict: MutantVerdict, seconds: number): MutantResult;
}

export function openMutantResults(file: string): MutantResults {
  const kept = new Map<string, MutantResult>(readResults(file).map((result) => [result.id, result]));
  return {
    find: ({ id, index }) => {
      const known = kept.get(id);
      return known === undefined ? undefined : { ...known, index };
    },
    keep: ({ text: _, ...mutant }, verdict, seconds) => {
      const result: MutantResult = { ...mutant, verdict, seconds: Math.round(seconds * 10) / 10 };
      kept.set(mutant.id, result);
      mkdirSync(path.dirname(file), { recursive: true });
      // The file is written completely or not at all, because the run may be stopped at any time.
      writeFileSync(`${file}.new`, `${JSON.stringify([...kept.values()], null, 1)}\n`);
      renameSync(`${file}.new`, file);
      return result;
    },
  };
}

function readResults(file: string): readonly MutantResult[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MutantResult[]) : [];
}

export function lineOfResult({ index, kind, file, line, verdict, seconds }: MutantResult): string {
  const said =
    verdict.kind === 'caught'
      ? `caught by ${verdict.by}`
      : verdict.kind === 'missed'
        ? `NOT CAUGHT by ${verdict.tests} test files`
        : `time is up after ${verdict.tests} test files`;
  return `${String(index).padStart(4)}  ${kind.padEnd(14)} ${file}:${line}  ${said} (${seconds} s)`;
}

/** Mutants that the tests did not catch are last, where a reader sees them. */
export function resultTable(results: readonly MutantResult[]): string {
  const of = (kind: MutantVerdict['kind']) => results.filter(({ verdict }) => verdict.kind === kind);
  const lines = (['caught', 'limit', 'missed'] as const).flatMap((kind) => of(kind).map(lineOfResult));
  const counts = `${of('caught').length} caught, ${of('missed').length} not caught, ${of('limit').length} not decided in time`;
  return [...lines, '', `${results.length} mutants: ${counts}`].join('\n');
}
