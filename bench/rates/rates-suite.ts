// Measures reads of rates while the rate book changes ten times a second. It compares them with a route that returns a constant
// response in the same process at the same time.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { insertDeskPrices } from '../../src/adapters/postgres/rates/desk-prices.ts';
import { SAMPLE_RATES } from '../../src/adapters/simulation/samples.ts';
import { CURRENCIES, parseRate } from '../../src/domain/rates/rates.ts';
import { type Ratio, type SuiteResult, suiteResult } from '../report.ts';
import { type RoundOptions, ratioOf, runRounds, type Variant } from '../rounds.ts';
import { type BenchService, startBenchService } from '../service-process.ts';

const CHANGES_PER_SECOND = 10;

export async function rates(options: RoundOptions): Promise<SuiteResult> {
  const service = await startBenchService();
  try {
    const variants: Variant[] = [
      { name: 'constant answer, book changes', service, path: '/bench/constant' },
      { name: 'GET usdc-ngnc rates, book changes', service, path: '/rates/v1/usdc-ngnc' },
    ];
    const changing = await changePrices(service);
    const measured = await runRounds(variants, options);
    const perSecond = await changing.stop();
    const [constant, served] = variants.map(({ name }) => measured.get(name)!);
    const ratios: Ratio[] = [
      { name: 'rates / constant, book changes', aim: 0.9, ...ratioOf(served!, constant!) },
      { name: 'new books a second', aim: 9, median: perSecond, min: perSecond, max: perSecond },
    ];
    const note =
      'both are measured while the book changes; the constant answer has no authentication and no limit';
    return suiteResult('rates', [note], measured, ratios);
  } finally {
    await service.stop();
  }
}

/**
 * Inserts new desk prices, each slightly different from the last. `stop` returns how many rate books per second the service
 * decided from these prices.
 */
async function changePrices(service: BenchService): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client(service.connection);
  await client.connect();
  const books = async () => {
    const text = `select count(*)::int as count from rate_decisions where mode = 'test' and product = 'usdc_ngnc'`;
    return (await client.query<{ count: number }>(text)).rows[0]!.count;
  };
  const [startedAtMs, before] = [performance.now(), await books()];
  const stopping = new AbortController();
  const run = async () => {
    for (let turn = 1; !stopping.signal.aborted; turn++) {
      await insertDeskPrices(client, pricesOf(turn));
      const dueAtMs = startedAtMs + (turn * 1_000) / CHANGES_PER_SECOND;
      const waiting = sleep(Math.max(0, dueAtMs - performance.now()), undefined, { signal: stopping.signal });
      await waiting.catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      const seconds = (performance.now() - startedAtMs) / 1_000;
      const count = (await books()) - before;
      await client.end();
      return count / seconds;
    },
  };
}

function pricesOf(turn: number) {
  return CURRENCIES.map((currency) => ({
    ...({ mode: 'test', product: 'usdc_ngnc', currency } as const),
    valueE4: parseRate(SAMPLE_RATES[currency])! + BigInt(turn % 10),
    ...{ asOfMs: Date.now(), validUntilMs: null, override: false, confirmed: false, sample: false },
    ...{ setBy: 'service:bench', approvedBy: null },
  }));
}
