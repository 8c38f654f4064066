// Measures the cost of a benchmark run apart from its duration: the CPU time of the service and of all PostgreSQL processes,
// the bytes of WAL, and the number of statements. The counters are read before and after a run, and their difference is the
// cost of the run.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { spreadOf } from './rounds.ts';
import type { BenchService } from './service-process.ts';

/**
 * CPU time is in microseconds and WAL is in bytes. All values are totals since the start, so only the difference of two
 * readings is meaningful.
 */
export interface Costs {
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  readonly walBytes: number;
  readonly statements: number;
}

const REPORTED_MS = 1_500;
/** The kernel counts CPU time in hundredths of a second (USER_HZ). */
const TICK_MICROS = 10_000;

/**
 * Counts statements as committed transactions of the database, because the service runs every statement as one database
 * transaction. Only operators' commands use more. The count includes the few statements of the measuring session.
 */
export async function readCosts(service: BenchService, client: pg.Client): Promise<Costs> {
  const nodeMicros = await service.cpuMicros();
  const postgresMicros = cpuOfPostgres(service.postmasterPid());
  const { rows: wal } = await client.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`,
  );
  await sleep(REPORTED_MS);
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  );
  return {
    nodeMicros,
    postgresMicros,
    walBytes: Number(wal[0]!.bytes),
    statements: Number(rows[0]!.count),
  };
}

export function costsPer(count: number, before: Costs, after: Costs): Costs {
  const per = (name: keyof Costs) => (after[name] - before[name]) / count;
  return {
    nodeMicros: per('nodeMicros'),
    postgresMicros: per('postgresMicros'),
    walBytes: per('walBytes'),
    statements: per('statements'),
  };
}

/** The kernel adds the CPU time of ended child processes to the time of the database server. */
function cpuOfPostgres(postmaster: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields === undefined) continue;
    const [parent, user, system, endedUser, endedSystem] = [fields[1], ...fields.slice(11, 15)].map(Number);
    if (Number(name) === postmaster) ticks += user! + system! + endedUser! + endedSystem!;
    else if (parent === postmaster) ticks += user! + system!;
  }
  return ticks * TICK_MICROS;
}

/**
 * Returns the fields of /proc/PID/stat after the process name, because the name may contain spaces. Undefined means that the
 * process has just ended.
 */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

export function costsText(costs: readonly Costs[]): string {
  const median = (name: keyof Costs) => spreadOf(costs.map((each) => each[name])).median;
  return [
    `${Math.round(median('nodeMicros'))} µs in Node`,
    `${Math.round(median('postgresMicros'))} µs in PostgreSQL`,
    `${(median('walBytes') / 1_000).toFixed(1)} kB of WAL`,
    `${median('statements').toFixed(2)} statements`,
  ].join(', ');
}
