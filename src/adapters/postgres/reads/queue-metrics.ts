// Reads the depth and age of every queue, and the items that wait for reviewers. Each is read from an index with few other
// rows.
import { STATES, TRANSACTION_TYPES, type TransactionType } from '../../../domain/records/states.ts';
import { MODES, type Mode } from '../../../domain/values/mode.ts';
import {
  MAX_DUE,
  type QueueDepth,
  type QueueMetrics,
  type ReviewBacklog,
  type StuckWork,
} from '../../../ports/queue-metrics.ts';
import type { Database } from '../connection/database.ts';
import { STUCK_REFUNDS } from '../review/review-store.ts';

const TABLES = ['bank_credits', 'deposits', 'movements', 'bank_notices'] as const;

/** The index of a queue is sorted by due time. So its first row is the oldest, and counting can stop at a limit. */
function depthSql(table: string, condition: string): string {
  return `select count(*)::int as due, min(due_at) as oldest from (
    select due_at from ${table} where ${condition}due_at <= to_timestamp($1::float8 / 1000)
    order by due_at limit ${MAX_DUE}) d`;
}

const QUEUES = [
  `select 'transactions:' || s as queue, d.* from unnest($2::transaction_state[]) as s
    cross join lateral (${depthSql('transaction_states', 'queue = s and ')}) d`,
  ...TABLES.map((table) => `select '${table}', d.* from (${depthSql(table, '')}) d`),
].join('\nunion all ');

/** Every try sets a later due time. So the rows with the most tries, including the oldest rows, are last in the index. */
function stuckSinceSql(table: string, since: string, condition: string): string {
  return `select state::text, ${since} as since from ${table} where ${condition}due_at is not null
    order by due_at desc limit ${MAX_DUE}`;
}

// While the movement or deposit of a transaction is being processed, the transaction itself is not due. The movement or deposit
// is counted instead. A refund without a destination waits for a reviewer and is counted with the items that wait for
// reviewers.
const WORKING = {
  transactions: ['paid', 'awaiting_trustline', 'deposited'],
  movements: ['pending', 'sending', 'unknown'],
  deposits: ['seen'],
} as const satisfies Record<StuckWork['what'], readonly string[]>;

const STUCK = `
select 'transactions' as what, s::text as state, min(d.since) as oldest from unnest($1::transaction_state[]) as s
  cross join lateral (${stuckSinceSql('transaction_states', 'updated_at', 'queue = s and ')}) d group by s
union all select 'movements', d.state, min(d.since)
  from (${stuckSinceSql('movements', 'created_at', 'destination is not null and ')}) d group by d.state
union all select 'deposits', d.state, min(d.since) from (${stuckSinceSql('deposits', 'seen_at', '')}) d group by d.state`;

const WAITING = `
select 'on_hold' as what, mode, type, count(*)::int as count from transaction_states where listed = 'on_hold'
  group by mode, type
union all select 'review', mode, null, count(*)::int from bank_credits where state = 'review' group by mode
union all select 'suspense', mode, null, count(*)::int from deposits where state = 'suspense' group by mode
union all select 'refund', mode, null, count(*)::int from movements where ${STUCK_REFUNDS} group by mode
union all select 'notice', mode, null, count(*)::int from bank_notices where state = 'review' group by mode
union all select 'quarantined', m, null, q.count from unnest(array['live', 'test']) as m cross join lateral (
  select count(*)::int from (select from quarantine where mode = m limit ${MAX_DUE}) lines) q
union all select 'need_two', o.mode, null, count(*)::int from one_provider_deposits o join deposits d
  on d.mode = o.mode and d.network = o.network and d.tx_hash = o.tx_hash and d.tx_index = o.tx_index
  where not o.granted and d.state = 'seen' group by o.mode
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
    readStuck: async () => {
      const { rows } = await database.query<StuckRow>({
        name: 'stuck-work',
        text: STUCK,
        values: [WORKING.transactions],
      });
      return stuckOf(rows);
    },
    readWaiting: async () => {
      const { rows } = await database.query<ReviewWaitingRow>({ name: 'waiting-for-people', text: WAITING });
      return waitingOf(rows);
    },
  };
}

interface StuckRow {
  what: StuckWork['what'];
  state: string;
  oldest: Date | null;
}

function stuckOf(rows: readonly StuckRow[]): readonly StuckWork[] {
  return Object.entries(WORKING).flatMap(([what, states]) =>
    states.map((state) => {
      const row = rows.find((each) => each.what === what && each.state === state);
      return { what: what as StuckWork['what'], state, oldestMs: row?.oldest?.getTime() ?? null };
    }),
  );
}

interface ReviewWaitingRow {
  what: 'on_hold' | 'review' | 'suspense' | 'refund' | 'notice' | 'case' | 'quarantined' | 'need_two';
  mode: Mode;
  type: TransactionType | null;
  count: number;
}

/** The result includes zeros, because a metric that disappears would look like a fault. */
function waitingOf(rows: readonly ReviewWaitingRow[]): ReviewBacklog {
  const count = (what: ReviewWaitingRow['what'], mode: Mode, type: TransactionType | null = null) =>
    rows.find((row) => row.what === what && row.mode === mode && row.type === type)?.count ?? 0;
  const byMode = (what: ReviewWaitingRow['what']) => ({
    live: count(what, 'live'),
    test: count(what, 'test'),
  });
  return {
    onHold: MODES.flatMap((mode) =>
      TRANSACTION_TYPES.map((type) => ({ mode, type, count: count('on_hold', mode, type) })),
    ),
    reviewCredits: byMode('review'),
    suspenseDeposits: byMode('suspense'),
    stuckRefunds: byMode('refund'),
    reviewNotices: byMode('notice'),
    openCases: byMode('case'),
    quarantined: byMode('quarantined'),
    depositsNeedTwo: byMode('need_two'),
  };
}
