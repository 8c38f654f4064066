// Measures webhook deliveries per second. Events that were accepted earlier become readable at once. The service then fans them
// out, claims, signs and sends the deliveries, and stores the outcomes. The receiver counts the deliveries from the first to
// the last.
import pg from 'pg';
import { type Costs, costsPer, costsText, readCosts } from '../costs.ts';
import { spreadOf } from '../rounds.ts';
import { type BenchService, startBenchService } from '../service-process.ts';
import { acceptBuys, addEndpoints, deliveriesStored, holdEvents } from './events.ts';
import type { Part, Receiver } from './receiver-process.ts';

const AIM = 1_500;
const LEAST_DELIVERIES = 6_000;
const ENDPOINTS = [1, 50];

interface Run {
  readonly perSecond: number;
  readonly busy: number;
  readonly costs: Costs;
}

export const throughput: Part = async (receiver, options) => {
  const services: BenchService[] = [];
  try {
    const variants: { name: string; endpoints: number; service: BenchService; runs: Run[] }[] = [];
    for (const endpoints of ENDPOINTS) {
      const service = await startBenchService();
      services.push(service);
      await addEndpoints(
        service,
        Array.from({ length: endpoints }, (_, index) => `${receiver.url}/${index}`),
      );
      variants.push({
        name: `deliveries, ${endpoints} endpoint${endpoints === 1 ? '' : 's'}`,
        endpoints,
        service,
        runs: [],
      });
    }
    const deliveries = Math.max(LEAST_DELIVERIES, AIM * options.seconds);
    for (let round = -1; round < options.rounds; round++) {
      for (const { name, endpoints, service, runs } of round % 2 === 0 ? variants : variants.toReversed()) {
        options.onProgress(`round ${round + 1} of ${options.rounds}: ${name}`);
        const run = await deliver(service, receiver, Math.ceil(deliveries / endpoints), endpoints);
        if (round >= 0) runs.push(run);
      }
    }
    options.onProgress('');
    const perSecond = (runs: readonly Run[]) => spreadOf(runs.map((run) => run.perSecond));
    return {
      notes: [
        `${deliveries} deliveries a run; events are acceptances, held back until all are stored; counted at the receiver`,
        ...variants.map(({ name, runs }) => `${name}: each ${costsText(runs.map(({ costs }) => costs))}`),
      ],
      rates: Object.fromEntries(
        variants.map(({ name, runs }) => [
          name,
          {
            perSecond: perSecond(runs),
            p50Ms: 0,
            p99Ms: 0,
            serverBusy: spreadOf(runs.map(({ busy }) => busy)).median,
          },
        ]),
      ),
      ratios: variants.map(({ name, runs }) => ({
        name: `${name}, per second`,
        aim: AIM,
        ...perSecond(runs),
      })),
    };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
};

async function deliver(
  service: BenchService,
  receiver: Receiver,
  events: number,
  endpoints: number,
): Promise<Run> {
  const client = new pg.Client(service.connection);
  await client.connect();
  try {
    const release = await holdEvents(service);
    await acceptBuys(service, events);
    const received = receiver.expect(events * endpoints);
    const before = await readCosts(service, client);
    await release();
    const { count, firstAtMs, lastAtMs } = await received;
    const seconds = (lastAtMs - firstAtMs) / 1_000;
    await deliveriesStored(client);
    const costs = costsPer(count, before, await readCosts(service, client));
    return { perSecond: count / seconds, busy: (costs.nodeMicros * count) / 1e6 / seconds, costs };
  } finally {
    await client.end();
  }
}
