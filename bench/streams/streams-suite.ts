// Compares the settlement with 1,000 open event streams and without any stream. Ten streams receive every event. Each of the
// other streams follows one transaction, like a client that waits for its own transaction.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { costsText } from '../costs.ts';
import { type SuiteResult, spreadRatio } from '../report.ts';
import type { RoundOptions } from '../rounds.ts';
import { type BenchService, startBenchService } from '../service-process.ts';
import { type Lifecycles, runLifecycles } from '../settle/settle.ts';
import { rates } from '../settle/settle-suite.ts';
import { openStreams } from './clients-process.ts';

const STREAMS = 1_000;
const OF_EVERYTHING = 10;
const LEAST_SECONDS = 10;
const LIFTED = { STREAMS_PER_KEY: String(STREAMS), MAX_CONNECTIONS_PER_ADDRESS: String(2 * STREAMS) };
/** Within this time the service removes closed streams. */
const QUIET_MS = 500;

type Run = Lifecycles & { readonly busy: number };

export async function streams(options: RoundOptions): Promise<SuiteResult> {
  const service = await startBenchService({ lifted: LIFTED });
  try {
    const variants = [
      { name: 'http, no stream', count: 0 },
      { name: `http, ${STREAMS} streams`, count: STREAMS },
    ];
    const runs = new Map<string, Run[]>(variants.map(({ name }) => [name, []]));
    await runLifecycles(service, 'http', 3);
    let bytes = 0;
    for (let round = 0; round < options.rounds; round++) {
      for (const { name, count } of round % 2 === 0 ? variants : variants.toReversed()) {
        options.onProgress(`round ${round + 1} of ${options.rounds}: ${name}`);
        const clients = await openStreams(service, await pathsFor(service, count));
        const run = await runLifecycles(service, 'http', Math.max(LEAST_SECONDS, options.seconds));
        const received = await clients.close();
        if (count > 0 && received === 0) throw new Error('The streams received nothing.');
        bytes += received;
        await sleep(QUIET_MS);
        runs.get(name)!.push({ ...run, busy: (run.costs.nodeMicros * run.completed) / 1e6 / run.seconds });
      }
    }
    options.onProgress('');
    const [none, many] = variants.map(({ name }) =>
      runs.get(name)!.map((run) => run.completed / run.seconds),
    );
    return {
      suite: 'streams',
      notes: [
        `lifecycles/s over HTTP; ${OF_EVERYTHING} streams receive every event, ${STREAMS - OF_EVERYTHING} follow one transaction each`,
        `lifted: ${Object.keys(LIFTED).join(', ')}; ${Math.round(bytes / options.rounds / 1e6)} MB received a round`,
        ...variants.map(({ name }) => `${name}: ${costsText(runs.get(name)!.map(({ costs }) => costs))}`),
      ],
      rates: rates(variants, runs),
      ratios: [{ name: `${STREAMS} streams / none`, aim: 0.9, ...spreadRatio(many!, none!) }],
    };
  } finally {
    await service.stop();
  }
}

async function pathsFor({ connection }: BenchService, count: number): Promise<string[]> {
  if (count === 0) return [];
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      'select id from transactions order by id desc limit $1',
      [count - OF_EVERYTHING],
    );
    const everything = Array<string>(count - rows.length).fill('/events/v1/stream');
    return [...everything, ...rows.map(({ id }) => `/transactions/v1/${id}/events`)];
  } finally {
    await client.end();
  }
}
