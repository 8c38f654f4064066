// Measures what it costs the database to move a transaction from state to state. It compares one wide row with separate tables
// for facts and state. The cost is WAL and the CPU time of the one session that writes, in batches of the size that the
// settlement uses. Both layouts are in one database and run in turn. The wide row has the layout from before
// docs/decisions/0014-facts-and-state-are-two-tables.md.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../src/adapters/embedded/server/open.ts';
import { bootstrapRole } from '../src/adapters/embedded/server/settings.ts';
import { migrate } from '../src/adapters/postgres/connection/migrate.ts';
import { CLAIM_COLUMNS } from '../src/adapters/postgres/reads/candidates.ts';
import { type SuiteResult, spreadRatio } from './report.ts';
import { type RoundOptions, spreadOf } from './rounds.ts';
import { FILL_STATES, FILL_WIDE, type Fill, WIDE } from './rows-sql.ts';

const BATCH = 200;
const PAST = 50_000;
const PER_ROUND = 10_000;

const MOVES = [
  `state = 'paid', received_minor = 1500000, state_reason = 'matched', due_at = now(), updated_at = now()`,
  `due_at = now() + interval '30 s', tries = t.tries + 1`,
  `state = 'sending', state_reason = 'reserved', due_at = null, tries = 0, updated_at = now()`,
  `state = 'confirming', state_reason = 'broadcast', tx_hash = '0x' || md5(x.id) || md5(x.id), updated_at = now()`,
  `state = 'completed', state_reason = 'confirmed', updated_at = now()`,
] as const;

interface Shape {
  readonly name: string;
  readonly table: string;
  readonly key: string;
  readonly fill: Fill;
  readonly paid: string;
}

const SHAPES: readonly Shape[] = [
  { name: 'one wide row', table: 'wide', key: 'id', fill: FILL_WIDE, paid: '' },
  {
    name: 'facts and state',
    table: 'transaction_states',
    key: 'transaction_id',
    fill: FILL_STATES(CLAIM_COLUMNS),
    paid: ', closed as (delete from open_claims where transaction_id = any (array(select id from x)))',
  },
];

interface Cost {
  readonly insertMicros: number;
  readonly moveMicros: number;
  readonly walBytes: number;
}

export async function rows(options: RoundOptions): Promise<SuiteResult> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sliproad-bench-'));
  const server = await openEmbedded({ dataDir, log: () => undefined });
  try {
    await migrate(server.connection);
    const client = new pg.Client({ ...server.connection, user: bootstrapRole });
    await client.connect();
    const costs = await measured(client, options);
    await client.end();
    return report(costs);
  } finally {
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measured(
  client: pg.Client,
  { rounds, onProgress }: RoundOptions,
): Promise<ReadonlyMap<string, Cost[]>> {
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan; set jit = off');
  await client.query('set synchronous_commit = off');
  for (const text of WIDE) await client.query(text);
  for (const { fill, table } of SHAPES) {
    onProgress(`filling ${table}`);
    for (const text of fill(0, PAST - 1)) await client.query(text);
    await client.query(`update ${table} set state = 'completed', due_at = null`);
  }
  await client.query('vacuum (analyze)');
  const costs = new Map<string, Cost[]>(SHAPES.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const shape of round % 2 === 0 ? SHAPES : SHAPES.toReversed()) {
      onProgress(`round ${round + 1} of ${rounds}: ${shape.name}`);
      costs.get(shape.name)!.push(await oneRound(client, shape, PAST + round * PER_ROUND));
    }
  }
  onProgress('');
  return costs;
}

async function oneRound(client: pg.Client, shape: Shape, first: number): Promise<Cost> {
  await client.query('checkpoint');
  const cpu = await sessionClock(client);
  const wal = async () => {
    const { rows: found } = await client.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`);
    return Number(found[0].bytes);
  };
  const startedAt = cpu();
  for (let from = first; from < first + PER_ROUND; from += BATCH)
    for (const text of shape.fill(from, from + BATCH - 1)) await client.query(text);
  const insertMicros = (cpu() - startedAt) / PER_ROUND;
  const [movedAt, bytes] = [cpu(), await wal()];
  for (const [index, set] of MOVES.entries()) {
    const text = `with x as materialized (select * from unnest($1::text[]) as i(id))${index === 0 ? shape.paid : ''}
      update ${shape.table} t set version = t.version + 1, ${set} from x where t.${shape.key} = x.id`;
    for (let from = first; from < first + PER_ROUND; from += BATCH) {
      const ids = Array.from(
        { length: BATCH },
        (_, at) => `txn_01abcdefgh${String(from + at).padStart(16, '0')}`,
      );
      await client.query({ name: `${shape.table} ${index}`, text, values: [ids] });
    }
  }
  return {
    insertMicros,
    moveMicros: (cpu() - movedAt) / PER_ROUND,
    walBytes: ((await wal()) - bytes) / PER_ROUND,
  };
}

/** Returns a function that reads how many microseconds of CPU the database process of this session has used. */
async function sessionClock(client: pg.Client): Promise<() => number> {
  const { rows: found } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return () => Number(readFileSync(`/proc/${found[0]!.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
}

function report(costs: ReadonlyMap<string, readonly Cost[]>): SuiteResult {
  const [wide, states] = SHAPES.map(({ name }) => costs.get(name)!);
  const of = (runs: readonly Cost[], name: keyof Cost) => runs.map((run) => run[name]);
  const notes = [...costs].map(([name, runs]) => {
    const median = (what: keyof Cost) => Math.round(spreadOf(of(runs, what)).median);
    return (
      `${name}: ${median('moveMicros')} µs and ${median('walBytes')} bytes of WAL for the ${MOVES.length} moves, ` +
      `${median('insertMicros')} µs to insert`
    );
  });
  const ratio = (what: keyof Cost) => spreadRatio(of(wide!, what), of(states!, what));
  const ratios = [
    { name: 'CPU of the moves, wide row / state', aim: 2, ...ratio('moveMicros') },
    { name: 'WAL of the moves, wide row / state', aim: 2, ...ratio('walBytes') },
  ];
  return { suite: 'rows', notes: [`batches of ${BATCH}, per transaction`, ...notes], rates: {}, ratios };
}
