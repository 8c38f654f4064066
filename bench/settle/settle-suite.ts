// Measures complete transactions per second for each way in which payments arrive. It also measures the CPU, WAL and statements
// of one transaction, and how all figures grow with a million past transactions.
import { costsText } from '../costs.ts';
import { type Ratio, type SuiteResult, spreadRatio } from '../report.ts';
import { type RoundOptions, spreadOf } from '../rounds.ts';
import { seedTransactions } from '../seed.ts';
import { type BenchService, startBenchService } from '../service-process.ts';
import { type Entry, FEED_BATCH, type Lifecycles, runLifecycles, SETTLE_CONNECTIONS } from './settle.ts';
import { seedSettlements } from './settle-seed.ts';

const SMALL = 1_000;
const LARGE = Number(process.env.BENCH_PAST ?? 1_000_000);
/** A transaction takes about a second in the sandbox, so a shorter load over HTTP would mostly measure that second. */
const MIN_SECONDS: Readonly<Record<Entry, number>> = { http: 10, feed: 3 };

export interface Variant {
  readonly name: string;
  readonly entry: Entry;
  readonly service: BenchService;
}

export async function settle(options: RoundOptions): Promise<SuiteResult> {
  const services = [await startBenchService(), await startBenchService()] as const;
  try {
    const [small, large] = services;
    for (const [service, count] of [
      [small, SMALL],
      [large, LARGE],
    ] as const) {
      await seedTransactions(service, count, options.onProgress);
      await seedSettlements(service, options.onProgress);
    }
    const past = (count: number) => `${count.toLocaleString('en-US')} past`;
    const variants: Variant[] = [
      { name: `http, ${past(SMALL)}`, entry: 'http', service: small },
      { name: `http, ${past(LARGE)}`, entry: 'http', service: large },
      { name: `feed, ${past(SMALL)}`, entry: 'feed', service: small },
      { name: `feed, ${past(LARGE)}`, entry: 'feed', service: large },
    ];
    return report(variants, await rounds(variants, options));
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

export type Runs = ReadonlyMap<string, readonly (Lifecycles & { readonly busy: number })[]>;

export async function rounds(variants: readonly Variant[], options: RoundOptions): Promise<Runs> {
  const runs = new Map<string, (Lifecycles & { busy: number })[]>(variants.map(({ name }) => [name, []]));
  for (let round = -1; round < options.rounds; round++) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const { name, entry, service } of order) {
      options.onProgress(`round ${round + 1} of ${options.rounds}: ${name}`);
      const seconds = round < 0 ? 2 : Math.max(MIN_SECONDS[entry], options.seconds);
      const run = await runLifecycles(service, entry, seconds);
      const busy = (run.costs.nodeMicros * run.completed) / 1e6 / run.seconds;
      if (round >= 0) runs.get(name)!.push({ ...run, busy });
    }
  }
  options.onProgress('');
  return runs;
}

function report(variants: readonly Variant[], runs: Runs): SuiteResult {
  const perSecond = variants.map(({ name }) => runs.get(name)!.map((run) => run.completed / run.seconds));
  const [http, httpLarge, feed, feedLarge] = perSecond;
  const ratios: Ratio[] = [
    { name: 'http lifecycles/s', aim: 700, ...spreadOf(http!) },
    { name: 'feed lifecycles/s', aim: 1_500, ...spreadOf(feed!) },
    { name: 'http, large past / small past', aim: 0.9, ...spreadRatio(httpLarge!, http!) },
    { name: 'feed, large past / small past', aim: 0.9, ...spreadRatio(feedLarge!, feed!) },
  ];
  const notes = [
    'lifecycles/s: accepted, paid, matched, sent, confirmed, completed; from the first completion to the last',
    `${SETTLE_CONNECTIONS} keep-alive connections; SETTLE_BATCH as shipped`,
    'http: claim and payment each a request, one in five a sell whose deposit the sandbox makes; batches as they come',
    `feed: claims by request, then payments written into the bank's statement ${FEED_BATCH} at a time; claims' time counts`,
    'per lifecycle: CPU of the service and of all PostgreSQL processes; WAL; statements are committed transactions',
    ...variants.map(({ name }) => `${name}: ${costsText(runs.get(name)!.map(({ costs }) => costs))}`),
    'per record and stage, waiting for the database and the simulated outside included:',
    ...variants.map(({ name }) => `${name}: ${stageCosts(runs.get(name)!)}`),
  ];
  return { suite: 'settle', notes, rates: rates(variants, runs), ratios };
}

export function rates(variants: readonly Pick<Variant, 'name'>[], runs: Runs): SuiteResult['rates'] {
  return Object.fromEntries(
    variants.map(({ name }) => {
      const own = runs.get(name)!;
      const perSecond = spreadOf(own.map((run) => run.completed / run.seconds));
      return [
        name,
        { perSecond, p50Ms: 0, p99Ms: 0, serverBusy: spreadOf(own.map(({ busy }) => busy)).median },
      ];
    }),
  );
}

/**
 * The cost of a record in each stage. The cost includes the time spent waiting for the database and the simulated providers.
 */
function stageCosts(runs: readonly Lifecycles[]): string {
  const names = [...new Set(runs.flatMap(({ stages }) => [...stages.keys()]))];
  const costs = names.flatMap((name) => {
    const used = runs.flatMap(({ stages }) => stages.get(name) ?? []).filter(({ records }) => records > 0);
    if (used.length === 0) return [];
    const micros = spreadOf(used.map(({ records, seconds }) => (seconds / records) * 1e6)).median;
    return [`${name} ${Math.round(micros)} µs`];
  });
  return costs.join(', ');
}
