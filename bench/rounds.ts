// Runs every variant once per round, in turn, so that other load on the machine affects all variants alike. Each round gives
// its own ratios. The result is the median and the range of these ratios.
import { randomBytes } from 'node:crypto';
import { type LoadResult, runLoad } from './load.ts';
import type { BenchService } from './service-process.ts';

export interface Variant {
  readonly name: string;
  readonly service: BenchService;
  readonly path: string;
  readonly body?: string;
}

export interface Measured extends LoadResult {
  readonly serverBusy: number;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly against?: string | undefined;
  readonly onProgress: (line: string) => void;
}

export async function runRounds(
  variants: readonly Variant[],
  options: RoundOptions,
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const results = new Map<string, Measured[]>(variants.map(({ name }) => [name, []]));
  for (const variant of variants) await measure(variant, 1); // a warm-up round: fills caches and compiles code
  for (let round = 0; round < options.rounds; round++) {
    // Every second round runs in reverse order, so that a variant does not always follow the same variant.
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const variant of order) {
      options.onProgress(`round ${round + 1} of ${options.rounds}: ${variant.name}`);
      results.get(variant.name)!.push(await measure(variant, options.seconds));
    }
  }
  options.onProgress('');
  return results;
}

export async function measure({ service, path, body }: Variant, seconds: number): Promise<Measured> {
  const before = await service.cpuMicros();
  const result = await runLoad({
    url: `${service.baseUrl}${path}`,
    key: service.key,
    stem: `b${randomBytes(5).toString('hex')}`,
    seconds,
    ...(body !== undefined && { body }),
  });
  const after = await service.cpuMicros();
  return { ...result, serverBusy: (after - before) / 1e6 / result.seconds };
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

export function perSecond(measured: readonly Measured[]): number[] {
  return measured.map(({ requests, seconds }) => requests / seconds);
}

export function ratioOf(first: readonly Measured[], second: readonly Measured[]): Spread {
  const [a, b] = [perSecond(first), perSecond(second)];
  return spreadOf(a.map((value, round) => value / b[round]!));
}
