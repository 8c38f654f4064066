// Measures complete transactions per second, from acceptance to `completed`, until no more work is due. Claims come over HTTP.
// Payments come over HTTP or in batches through the feed of the bank. Each run includes the cost of one transaction.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../src/adapters/postgres/connection/database.ts';
import { makeSimulatedBank } from '../../src/adapters/rails/simulated/bank.ts';
import { openPostgresWorld } from '../../src/adapters/simulation/postgres-world.ts';
import { makeSimulation } from '../../src/adapters/simulation/simulation.ts';
import { BUY_REQUEST, SELL_REQUEST } from '../../src/http/reference/examples.ts';
import { type Costs, costsPer, readCosts } from '../costs.ts';
import type { RoundOptions } from '../rounds.ts';
import type { BenchService } from '../service-process.ts';

/** Buyers and sellers rarely wait for each other, so this benchmark has more connections than a benchmark of a single route. */
export const SETTLE_CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 256);
export const FEED_BATCH = 500;
const DRAIN_PATIENCE_MS = 120_000;

export interface Lifecycles {
  readonly completed: number;
  readonly seconds: number;
  readonly stages: ReadonlyMap<string, { readonly records: number; readonly seconds: number }>;
  readonly costs: Costs;
}

export type Entry = 'http' | 'feed';

export async function runLifecycles(
  service: BenchService,
  entry: Entry,
  seconds: RoundOptions['seconds'],
): Promise<Lifecycles> {
  const client = new pg.Client(service.connection);
  await client.connect();
  try {
    const stem = `s${randomBytes(5).toString('hex')}`;
    const first = randomBytes(6).readUIntBE(0, 6) % 9_000_000_000;
    const before = await readStages(service);
    const costsBefore = await readCosts(service, client);
    const startedAt = performance.now();
    await load(service, entry, stem, first, seconds);
    const claimed = (performance.now() - startedAt) / 1_000;
    if (entry === 'feed') await payByFeed(service, client, stem);
    await drained(client, service, stem);
    const costsAfter = await readCosts(service, client);
    const { completed, spanned } = await completions(client, stem);
    if (completed === 0)
      throw new Error('No lifecycle was completed: this machine is too busy to measure on.');
    // All claims come before the payments, so the time for the claims counts too.
    const took = entry === 'feed' ? claimed + spanned : spanned;
    const after = await readStages(service);
    const stages = new Map(
      [...after].map(([name, { records, seconds: spent }]) => {
        const was = before.get(name) ?? { records: 0, seconds: 0 };
        return [name, { records: records - was.records, seconds: spent - was.seconds }];
      }),
    );
    return { completed, seconds: took, stages, costs: costsPer(completed, costsBefore, costsAfter) };
  } finally {
    await client.end();
  }
}

async function load(
  service: BenchService,
  entry: Entry,
  stem: string,
  first: number,
  seconds: number,
): Promise<void> {
  const { reference: _buy, account_number: _payer, ...buy } = BUY_REQUEST;
  const { reference: _sell, ...sell } = SELL_REQUEST;
  const credit = {
    vendor_number: buy.vendor_number,
    amount: buy.amount,
    payer_bank_name: buy.bank_name,
    payer_name: buy.account_name,
  };
  const open = (body: object) => JSON.stringify(body).slice(0, -1);
  const env = {
    ...process.env,
    BENCH_CLAIM: open({ ...buy, business_id: service.businessId }),
    BENCH_SELL: open({ ...sell, business_id: service.businessId }),
    BENCH_CREDIT: open(credit),
    BENCH_KEY: service.key,
    BENCH_STEM: stem,
    BENCH_FIRST: String(first),
    BENCH_CLAIMS_ONLY: entry === 'feed' ? '1' : '0',
  };
  const script = path.join(import.meta.dirname, 'settle.lua');
  const args = [
    '-t1',
    `-c${SETTLE_CONNECTIONS}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    service.baseUrl,
  ];
  const output = await new Promise<string>((resolve, reject) => {
    const child = spawn('wrk', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', () => reject(new Error('settle needs wrk: install it (apt install wrk)')));
    child.on('close', () => resolve(text));
  });
  const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{"failed":1}') as { failed: number };
  if (result.failed > 0) throw new Error(`${result.failed} requests failed:\n${output}`);
}

async function payByFeed(service: BenchService, client: pg.Client, stem: string): Promise<void> {
  const database = openDatabase({
    connection: service.connection,
    poolSize: 3,
    answerTimeoutMs: 10_000,
    applicationName: 'sliproad-bench',
    onError: () => undefined,
  });
  const world = openPostgresWorld(database);
  const options = { seed: '', faultPercent: 0, paceMs: 1 };
  const bank = makeSimulatedBank(makeSimulation({ world, clock: { now: Date.now }, options }));
  const { rows } = await client.query(PAYABLE, [`${stem}-%`]);
  for (let done = 0; done < rows.length; done += FEED_BATCH) {
    const batch = rows.slice(done, done + FEED_BATCH);
    await Promise.all(batch.map((row) => bank.payIn(row.reference, creditFor(row), 1)));
  }
  await world.drain();
  await database.close();
}

const PAYABLE = `select reference, account_number, vendor_number, amount_minor::text as amount_minor
  from transactions where reference like $1 and type = 'buy' order by id`;

function creditFor(row: Record<string, string>) {
  return {
    accountNumber: row.vendor_number!,
    accountBankCode: null,
    amountMinor: BigInt(row.amount_minor!),
    payerAccount: row.account_number!,
    payerBankName: BUY_REQUEST.bank_name,
    payerName: BUY_REQUEST.account_name,
    narration: null,
    sessionId: null,
  };
}

/**
 * Returns the number of completed transactions, and the time from the first to the last completion. Both together give the
 * sustained rate.
 */
async function completions(client: pg.Client, stem: string): Promise<{ completed: number; spanned: number }> {
  const { rows } = await client.query<{ completed: string; spanned: number }>(
    `select count(*) as completed, extract(epoch from max(updated_at) - min(updated_at))::float8 as spanned
      from transactions join transaction_states on transaction_id = id where reference like $1 and state = 'completed'`,
    [`${stem}-%`],
  );
  return { completed: Number(rows[0]!.completed), spanned: rows[0]!.spanned };
}

/**
 * Tables with work that is due soon. The query reads their small indexes of due rows. Waiting claims become due much later, so
 * they do not count.
 */
const DUE = ['transaction_states', 'bank_credits', 'deposits', 'movements', 'bank_notices', 'simulated_plays']
  .map((table) => `exists (select from ${table} where due_at < now() + interval '1 minute')`)
  .join(' or ');

const OPEN = `select (select count(*)::int from transactions join transaction_states on transaction_id = id
    where reference like $1 and state not in ('completed', 'awaiting_payment')) as open,
  (select count(*)::int from bank_credits where state = 'unmatched') as unmatched,
  (select coalesce(max(position), 0) > coalesce((select max(position::bigint) from feeds where name like 'bank test%'), 0)
    from simulated_statement) as behind`;

/**
 * Waits until every paid transaction is completed. The load may end between a claim and its payment, so not every transaction
 * was paid. The function checks four times a second whether any work is due. When no work is due, it counts all transactions of
 * the run.
 */
async function drained(client: pg.Client, service: BenchService, stem: string): Promise<void> {
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  for (;;) {
    const { rows: due } = await client.query<{ due: boolean }>(`select ${DUE} as due`);
    const late = performance.now() > giveUpAt;
    if (!due[0]!.due || late) {
      const { rows } = await client.query<{ open: number; unmatched: number; behind: boolean }>(OPEN, [
        `${stem}-%`,
      ]);
      const { open, unmatched, behind } = rows[0]!;
      if (open === 0 && unmatched === 0 && !behind) return;
      if (late)
        throw new Error(
          `${service.baseUrl} did not settle: ${open} open, ${unmatched} unmatched, feed behind: ${behind}`,
        );
    }
    await sleep(250);
  }
}

async function readStages(service: BenchService): Promise<Map<string, { records: number; seconds: number }>> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const stages = new Map<string, { records: number; seconds: number }>();
  for (const [, what, name, value] of text.matchAll(
    /^sliproad_stage_(records|seconds)_total\{stage="(\w+)"\} (\S+)$/gm,
  )) {
    const stage = stages.get(name!) ?? { records: 0, seconds: 0 };
    stages.set(name!, { ...stage, [what!]: Number(value) });
  }
  return stages;
}
