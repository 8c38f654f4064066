// Compares the speed of accepting transactions in this version and in another version that is checked out next to it. Both
// versions get the same load in turn. The benchmark reports the cost of a request for each version.
import pg from 'pg';
import { ONRAMP, openBuy } from './buy.ts';
import { type Costs, costsPer, costsText, readCosts } from './costs.ts';
import { type Ratio, type SuiteResult, suiteResult } from './report.ts';
import { type Measured, measure, type RoundOptions, ratioOf, type Variant } from './rounds.ts';
import { startBenchService } from './service-process.ts';

export async function acceptAgainst(options: RoundOptions): Promise<SuiteResult> {
  const services = [
    await startBenchService(),
    await startBenchService({ checkout: options.against }),
  ] as const;
  try {
    const variants = ['this version', 'the other'].map((name, index): Variant => {
      const service = services[index]!;
      return { name: `POST onramp, ${name}`, service, path: ONRAMP, body: openBuy(service) };
    });
    const measured = new Map<string, Measured[]>(variants.map(({ name }) => [name, []]));
    const costs = new Map<string, Costs[]>(variants.map(({ name }) => [name, []]));
    for (let round = -1; round < options.rounds; round++) {
      for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
        options.onProgress(`round ${round + 1} of ${options.rounds}: ${variant.name}`);
        const run = await withCosts(variant, options.seconds);
        if (round < 0) continue;
        measured.get(variant.name)!.push(run.measured);
        costs.get(variant.name)!.push(run.costs);
      }
    }
    options.onProgress('');
    const [here, there] = variants.map(({ name }) => measured.get(name)!);
    const ratios: Ratio[] = [{ name: 'this version / the other', aim: 0.95, ...ratioOf(here!, there!) }];
    const notes = [
      `the other: ${options.against}; each on a database of its own`,
      ...variants.map(({ name }) => `${name}: each ${costsText(costs.get(name)!)}`),
    ];
    return suiteResult('accept', notes, measured, ratios);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function withCosts(variant: Variant, seconds: number): Promise<{ measured: Measured; costs: Costs }> {
  const client = new pg.Client(variant.service.connection);
  await client.connect();
  try {
    const before = await readCosts(variant.service, client);
    const measured = await measure(variant, seconds);
    const costs = costsPer(measured.requests, before, await readCosts(variant.service, client));
    return { measured, costs };
  } finally {
    await client.end();
  }
}
