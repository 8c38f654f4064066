// Depth and age of every queue, and what waits for people, each read from an index that holds little else.
import type { Mode } from '../../domain/mode.ts';
import { MODES } from '../../domain/mode.ts';
import { STATES, TRANSACTION_TYPES, type TransactionType } from '../../domain/states.ts';
import { MAX_DUE, type QueueDepth, type QueueMetrics, type Waiting } from '../../ports/queue-metrics.ts';
import type { Database } from './database.ts';

const TABLES = ['bank_credits', 'deposits', 'movements', 'bank_notices'] as const;

/** The oldest of a queue come first in its index: the first of them is the oldest, and counting may stop. */
function depthOf(table: string, condition: string): string {
  return `select count(*)::int as due, min(due_at) as oldest from (
    select due_at from ${table} where ${condition}due_at <= to_timestamp($1::float8 / 1000)
    order by due_at limit ${MAX_DUE}) d`;
}

const QUEUES = [
  `select 'transactions:' || s as queue, d.* from unnest($2::transaction_state[]) as s
    cross join lateral (${depthOf('transactions', 'state = s and ')}) d`,
  ...TABLES.map((table) => `select '${table}', d.* from (${depthOf(table, '')}) d`),
].join('\nunion all ');

const WAITING = `
select 'on_hold' as what, mode, type, count(*)::int as count from transactions where state = 'on_hold' group by mode, type
union all select 'review', mode, null, count(*)::int from bank_credits where state = 'review' group by mode
union all select 'case', mode, null, count(*)::int from cases where closed_at is null group by mode`;

export function makeQueueMetrics(database: Database): QueueMetrics {
  return {
    readQueues: async (atMs): Promise<readonly QueueDepth[]> => {
      const { rows } = await database.query<{ queue: string; due: number; oldest: Date | null }>({
        name: 'queue-depths',
        text: QUEUES,
        values: [atMs, STATES],
      });
      return rows.map(({ queue, due, oldest }) => ({ queue, due, oldestDueMs: oldest?.getTime() ?? null }));
    },
    readWaiting: async () => {
      const { rows } = await database.query<WaitingRow>({ name: 'waiting-for-people', text: WAITING });
      return waitingOf(rows);
    },
  };
}

interface WaitingRow {
  what: 'on_hold' | 'review' | 'case';
  mode: Mode;
  type: TransactionType | null;
  count: number;
}

/** With the zeros: a series that vanishes cannot be told from one that is broken. */
function waitingOf(rows: readonly WaitingRow[]): Waiting {
  const count = (what: WaitingRow['what'], mode: Mode, type: TransactionType | null = null) =>
    rows.find((row) => row.what === what && row.mode === mode && row.type === type)?.count ?? 0;
  return {
    onHold: MODES.flatMap((mode) =>
      TRANSACTION_TYPES.map((type) => ({ mode, type, count: count('on_hold', mode, type) })),
    ),
    reviewCredits: { live: count('review', 'live'), test: count('review', 'test') },
    openCases: { live: count('case', 'live'), test: count('case', 'test') },
  };
}
