// Measures how much hanging webhook endpoints delay the other endpoints. A hanging endpoint accepts a request and never
// responds. The benchmark compares 1,000 endpoints of which 100 hang with 1,000 endpoints that all respond. It measures the
// time from the event to its receipt at the other 900.
import { setTimeout as sleep } from 'node:timers/promises';
import { spreadRatio } from '../report.ts';
import { spreadOf } from '../rounds.ts';
import { type BenchService, startBenchService } from '../service-process.ts';
import { acceptBuys, addEndpoints } from './events.ts';
import type { Part, Receiver } from './receiver-process.ts';

const ENDPOINTS = 1_000;
const HANGING = 100;
const TIMED = ENDPOINTS - HANGING;
const LIFTED = { WEBHOOK_ENDPOINTS_MAX: String(ENDPOINTS) };
/**
 * The warm-up is longer than the time limit of an attempt, so that attempts at hanging endpoints have ended and are retried.
 */
const WARM_UP_SECONDS = 20;
const LEAST_SECONDS = 10;
/** The time between two events. The next event waits longer if an endpoint has not yet received the previous one. */
const PACE_MS = 1_000;

interface Run {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly busy: number;
}

export const hanging: Part = async (receiver, options) => {
  const variants: { name: string; service: BenchService; runs: Run[] }[] = [];
  try {
    for (const [name, where] of [
      [`${ENDPOINTS} endpoints, none hangs`, 'aside'],
      [`${ENDPOINTS} endpoints, ${HANGING} hang`, 'hang'],
    ] as const) {
      const service = await startBenchService({ lifted: LIFTED });
      variants.push({ name, service, runs: [] });
      const url = (index: number) => `${receiver.url}/${index % 10 === 0 ? where : 'timed'}/${index}`;
      await addEndpoints(
        service,
        Array.from({ length: ENDPOINTS }, (_, index) => url(index)),
      );
    }
    for (const { name, service } of variants) {
      options.onProgress(`warming up: ${name}`);
      await measure(service, receiver, WARM_UP_SECONDS);
    }
    const seconds = Math.max(LEAST_SECONDS, options.seconds);
    for (let round = 0; round < options.rounds; round++) {
      for (const { name, service, runs } of round % 2 === 0 ? variants : variants.toReversed()) {
        options.onProgress(`round ${round + 1} of ${options.rounds}: ${name}`);
        runs.push(await measure(service, receiver, seconds));
      }
    }
    options.onProgress('');
    const [none, some] = variants.map(({ runs }) => runs.map(({ p99Ms }) => p99Ms));
    const median = (runs: readonly Run[], name: keyof Run) => spreadOf(runs.map((run) => run[name]));
    return {
      notes: [
        `${HANGING} of ${ENDPOINTS} hang: one event a second to every endpoint; p50 and p99 from the event to its receipt at the other ${TIMED}`,
        `lifted: WEBHOOK_ENDPOINTS_MAX=${ENDPOINTS}`,
      ],
      rates: Object.fromEntries(
        variants.map(({ name, runs }) => [
          name,
          {
            perSecond: median(runs, 'perSecond'),
            p50Ms: median(runs, 'p50Ms').median,
            p99Ms: median(runs, 'p99Ms').median,
            serverBusy: median(runs, 'busy').median,
          },
        ]),
      ),
      ratios: [
        { name: `p99, ${HANGING} hang / none hangs`, aim: 1.2, atMost: true, ...spreadRatio(some!, none!) },
      ],
    };
  } finally {
    await Promise.all(variants.map(({ service }) => service.stop()));
  }
};

async function measure(service: BenchService, receiver: Receiver, seconds: number): Promise<Run> {
  const latenciesMs: number[] = [];
  const cpuBefore = await service.cpuMicros();
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1_000) {
    const paced = sleep(PACE_MS);
    const received = receiver.expect(TIMED);
    await acceptBuys(service, 1);
    latenciesMs.push(...(await received).latenciesMs);
    await paced;
  }
  const took = (performance.now() - startedAt) / 1_000;
  const sorted = latenciesMs.sort((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]!;
  return {
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    perSecond: latenciesMs.length / took,
    busy: ((await service.cpuMicros()) - cpuBefore) / 1e6 / took,
  };
}
