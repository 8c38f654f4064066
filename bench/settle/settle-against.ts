// Measures complete transactions per second in this version and in another version that is checked out next to it. Both
// versions get the same load in turn.
import { costsText } from '../costs.ts';
import { type Ratio, type SuiteResult, spreadRatio } from '../report.ts';
import type { RoundOptions } from '../rounds.ts';
import { startBenchService } from '../service-process.ts';
import { rates, rounds, type Variant } from './settle-suite.ts';

export async function settleAgainst(options: RoundOptions): Promise<SuiteResult> {
  const services = [
    await startBenchService(),
    await startBenchService({ checkout: options.against }),
  ] as const;
  try {
    const [here, there] = services;
    const variants: Variant[] = [
      { name: 'http, this version', entry: 'http', service: here },
      { name: 'http, the other', entry: 'http', service: there },
      { name: 'feed, this version', entry: 'feed', service: here },
      { name: 'feed, the other', entry: 'feed', service: there },
    ];
    const runs = await rounds(variants, options);
    const perSecond = variants.map(({ name }) => runs.get(name)!.map((run) => run.completed / run.seconds));
    const [http, httpOther, feed, feedOther] = perSecond;
    const ratios: Ratio[] = [
      { name: 'http, this version / the other', aim: 0.95, ...spreadRatio(http!, httpOther!) },
      { name: 'feed, this version / the other', aim: 0.95, ...spreadRatio(feed!, feedOther!) },
    ];
    const notes = [
      `lifecycles/s, as in the settle benchmark, without a past; the other: ${options.against}`,
      ...variants.map(({ name }) => `${name}: ${costsText(runs.get(name)!.map(({ costs }) => costs))}`),
    ];
    return { suite: 'settle', notes, rates: rates(variants, runs), ratios };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}
