// Makes a failing seed easier to read. The search removes half of the customers and faults, then a quarter, then single ones,
// as long as the same promise still breaks.
import { runSeed, type SeedOptions, type SeedResult } from '../run-seed.ts';

export interface Shrunk {
  readonly errands: readonly string[];
  readonly faults: readonly string[];
  readonly result: SeedResult;
  readonly runs: number;
}

const MAX_RUNS = 400;

export async function shrink(seed: number, original: SeedResult): Promise<Shrunk> {
  const promise = original.failure!.promise;
  let runs = 0;
  const breaks = async (options: SeedOptions): Promise<SeedResult | undefined> => {
    if (runs >= MAX_RUNS) return undefined;
    runs++;
    const result = await runSeed(seed, options);
    return result.failure?.promise === promise ? result : undefined;
  };
  let last = original;
  const errands = await fewest(original.errands, async (kept) => {
    const result = await breaks({ onlyErrands: new Set(kept) });
    if (result !== undefined) last = result;
    return result !== undefined;
  });
  const onlyErrands = new Set(errands);
  const faults = await fewest(
    last.faults,
    async (kept) => (await breaks({ onlyErrands, onlyFaults: new Set(kept) })) !== undefined,
  );
  const result = await runSeed(seed, { onlyErrands, onlyFaults: new Set(faults), traced: true });
  return { errands, faults, result, runs };
}

/** Removes as many items as possible from the list while `holds` stays true. */
export async function fewest<Item>(
  items: readonly Item[],
  holds: (kept: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  if (items.length === 0 || (await holds([]))) return [];
  let kept = [...items];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (fewer.length < kept.length && (await holds(fewer))) kept = fewer;
      else at += size;
    }
  }
  return kept;
}
