// Prints the results as tables of rates and ratios, and stores them if the option `--json` is set.
import { type Measured, perSecond, type Spread, spreadOf } from './rounds.ts';

export interface Ratio extends Spread {
  readonly name: string;
  readonly aim: number;
  /** True means that the ratio may be at most `aim`. Otherwise the ratio must be at least `aim`. */
  readonly atMost?: boolean;
}

export interface SuiteResult {
  readonly suite: string;
  readonly notes: readonly string[];
  readonly rates: Readonly<
    Record<string, { perSecond: Spread; p50Ms: number; p99Ms: number; serverBusy: number }>
  >;
  readonly ratios: readonly Ratio[];
}

export function suiteResult(
  suite: string,
  notes: readonly string[],
  measured: ReadonlyMap<string, readonly Measured[]>,
  ratios: readonly Ratio[],
): SuiteResult {
  const rates = Object.fromEntries(
    [...measured].map(([name, runs]) => [
      name,
      {
        perSecond: spreadOf(perSecond(runs)),
        p50Ms: spreadOf(runs.map((run) => run.p50Ms)).median,
        p99Ms: spreadOf(runs.map((run) => run.p99Ms)).median,
        serverBusy: spreadOf(runs.map((run) => run.serverBusy)).median,
      },
    ]),
  );
  return { suite, notes, rates, ratios };
}

export function printSuite({ suite, notes, rates, ratios }: SuiteResult): void {
  console.log(`\n${suite}`);
  for (const note of notes) console.log(`  ${note}`);
  if (Object.keys(rates).length > 0)
    console.log(`  ${'per second'.padEnd(44)}  median (range)            p50 ms   p99 ms   server busy`);
  for (const [name, rate] of Object.entries(rates)) {
    const { median, min, max } = rate.perSecond;
    const range = `${whole(median)} (${whole(min)}–${whole(max)})`;
    const times = `${rate.p50Ms.toFixed(2).padStart(6)}   ${rate.p99Ms.toFixed(2).padStart(6)}`;
    console.log(
      `  ${name.padEnd(44)}  ${range.padEnd(24)}  ${times}   ${(rate.serverBusy * 100).toFixed(0)}% of a core`,
    );
  }
  for (const { name, median, min, max, aim, atMost = false } of ratios) {
    const verdict = (atMost ? median <= aim : median >= aim) ? 'met' : 'missed';
    const text = aim >= 10 ? whole : (value: number) => value.toFixed(2);
    const range = `${text(median)} (${text(min)}–${text(max)})`;
    console.log(`  ${name.padEnd(44)}  ${range}  aim ${atMost ? '≤' : '≥'} ${aim}: ${verdict}`);
  }
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function spreadRatio(first: readonly number[], second: readonly number[]): Spread {
  return spreadOf(first.map((value, round) => value / second[round]!));
}
