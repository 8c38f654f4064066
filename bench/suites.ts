// Lists the benchmarks. Acceptance is compared with its lower and upper limit, and reads are compared with a constant response.
// Both are also compared with themselves on a larger database.
import { acceptAgainst } from './against.ts';
import { ONRAMP, openBuy } from './buy.ts';
import { quotes } from './quotes/suite.ts';
import { rates } from './rates/rates-suite.ts';
import { type Ratio, type SuiteResult, suiteResult } from './report.ts';
import { type RoundOptions, ratioOf, runRounds, type Variant } from './rounds.ts';
import { rows } from './rows.ts';
import { seedTransactions } from './seed.ts';
import { startBenchService } from './service-process.ts';
import { settleAgainst } from './settle/settle-against.ts';
import { settle } from './settle/settle-suite.ts';
import { statements } from './statements/statements-suite.ts';
import { streams } from './streams/streams-suite.ts';
import { webhooks } from './webhooks/webhooks-suite.ts';

const LIST = '/transactions/v1?limit=25';

export type Suite = (options: RoundOptions) => Promise<SuiteResult>;

export const SUITES: Readonly<Record<string, Suite>> = {
  accept,
  reads,
  rates,
  growth,
  settle,
  webhooks,
  streams,
  quotes,
  rows,
  statements,
  // The libraries of the chains are large, so the file loads them only for this benchmark.
  networks: async (options) => (await import('./networks/suite.ts')).networks(options),
};

/** The benchmarks that support `--against`: they compare this version with another version under the same load. */
export const AGAINST_SUITES: Readonly<Record<string, Suite>> = {
  accept: acceptAgainst,
  settle: settleAgainst,
};

async function accept(options: RoundOptions): Promise<SuiteResult> {
  const service = await startBenchService();
  try {
    const body = openBuy(service);
    const variants: Variant[] = [
      { name: 'a  POST onramp', service, path: ONRAMP, body },
      { name: 'b  same route, stores nothing', service, path: '/bench/onramp-stores-nothing', body },
      { name: 'c  same route, one transaction per request', service, path: '/bench/onramp-plain', body },
    ];
    const measured = await runRounds(variants, options);
    const [a, b, c] = variants.map(({ name }) => measured.get(name)!);
    const ratios: Ratio[] = [
      { name: 'a / b', aim: 0.85, ...ratioOf(a!, b!) },
      { name: 'a / c', aim: 2, ...ratioOf(a!, c!) },
    ];
    return suiteResult('accept', ['embedded PostgreSQL with default durability'], measured, ratios);
  } finally {
    await service.stop();
  }
}

async function reads(options: RoundOptions): Promise<SuiteResult> {
  const service = await startBenchService();
  try {
    const variants: Variant[] = [
      { name: 'constant answer', service, path: '/bench/constant' },
      { name: 'GET vendors', service, path: '/transactions/v1/vendors' },
      { name: 'GET usdc-ngnc rates', service, path: '/rates/v1/usdc-ngnc' },
    ];
    const measured = await runRounds(variants, options);
    const [constant, vendors, rates] = variants.map(({ name }) => measured.get(name)!);
    const ratios: Ratio[] = [
      { name: 'vendors / constant', aim: 0.9, ...ratioOf(vendors!, constant!) },
      { name: 'rates / constant', aim: 0.9, ...ratioOf(rates!, constant!) },
    ];
    const note = 'the constant answer has no authentication and no rate limit';
    return suiteResult('reads', [note], measured, ratios);
  } finally {
    await service.stop();
  }
}

const SMALL = 1_000;
const LARGE = 1_000_000;

async function growth(options: RoundOptions): Promise<SuiteResult> {
  const services = [await startBenchService(), await startBenchService()] as const;
  try {
    const [small, large] = services;
    await seedTransactions(small, SMALL, options.onProgress);
    await seedTransactions(large, LARGE, options.onProgress);
    const variants: Variant[] = [
      { name: 'onramp, 1,000 stored', service: small, path: ONRAMP, body: openBuy(small) },
      { name: 'onramp, 1,000,000 stored', service: large, path: ONRAMP, body: openBuy(large) },
      { name: 'list, 1,000 stored', service: small, path: LIST },
      { name: 'list, 1,000,000 stored', service: large, path: LIST },
    ];
    const measured = await runRounds(variants, options);
    const [a, b, c, d] = variants.map(({ name }) => measured.get(name)!);
    const ratios: Ratio[] = [
      { name: 'onramp, 1,000,000 / 1,000', aim: 0.9, ...ratioOf(b!, a!) },
      { name: 'list, 1,000,000 / 1,000', aim: 0.9, ...ratioOf(d!, c!) },
    ];
    const note = 'stored rows carry timeline, idempotency keys and deposit targets; vacuumed and analysed';
    return suiteResult('growth', [note], measured, ratios);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}
