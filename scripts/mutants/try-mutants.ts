// Tries mutants one after another and saves each result. It skips mutants that an earlier run decided.
import type { Mutant } from './draw-mutants.ts';
import type { Judge } from './judge.ts';
import { lineOfResult, type MutantResult, type MutantResults } from './results.ts';

export interface TrySettings {
  readonly mutants: readonly Mutant[];
  readonly judge: Judge;
  readonly results: MutantResults;
  readonly limitSeconds: number;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
}

export async function tryMutants(settings: TrySettings): Promise<readonly MutantResult[]> {
  const { mutants, judge, results, limitSeconds, print, signal } = settings;
  const all: MutantResult[] = [];
  for (const mutant of mutants) {
    if (signal?.aborted === true) break;
    const known = results.find(mutant);
    const beganAt = performance.now();
    const result =
      known ?? results.keep(mutant, await judge(mutant, limitSeconds), (performance.now() - beganAt) / 1_000);
    all.push(result);
    print(`${lineOfResult(result)}${known === undefined ? '' : ' [kept]'}`);
  }
  return all;
}
