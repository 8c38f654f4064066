// Stores the outcomes of delivery attempts. All outcomes that arrive while a commit is running share the next commit. One
// statement writes the state of the delivery, the log of the attempt and the health of the endpoint. An outcome that arrives
// after the end of its lease is not written.
import type { AttemptSettlement, DeliveryQueue } from '../../../ports/webhooks.ts';
import { type ArrayColumn, columnArrays, inputOf } from '../connection/column-arrays.ts';
import { type Database, sqlState } from '../connection/database.ts';
import { makeGroupCommit } from '../connection/group-commit.ts';

const COLUMNS: readonly ArrayColumn<AttemptSettlement>[] = [
  ['id', 'text', ({ delivery }) => delivery.id],
  ['fence', 'int', ({ delivery }) => String(delivery.fence)],
  ['state', 'text', ({ next }) => (next.kind === 'retry' ? 'pending' : next.kind)],
  ['reason', 'text', ({ next }) => (next.kind === 'failed' ? next.reason : null)],
  ['due_at', 'timestamptz', ({ next, atMs }) => (next.kind === 'retry' ? timeText(atMs + next.inMs) : null)],
  ['now', 'timestamptz', ({ atMs }) => timeText(atMs)],
  ['no', 'int', ({ attempt }) => (attempt === null ? null : String(attempt.no))],
  ['at', 'timestamptz', ({ attempt }) => (attempt === null ? null : timeText(attempt.atMs))],
  ['duration_ms', 'int', ({ attempt }) => (attempt === null ? null : String(Math.round(attempt.durationMs)))],
  ['status', 'int', ({ attempt }) => attempt?.status?.toString() ?? null],
  ['outcome', 'text', ({ attempt }) => attempt?.outcome ?? null],
  ['error', 'text', ({ attempt }) => attempt?.error ?? null],
  ['answer', 'text', ({ attempt }) => attempt?.answer ?? null],
];

const INPUT = inputOf(COLUMNS);

/**
 * The health of an endpoint is written when it changes. The time of the last success is written at most once a minute. A
 * success in a batch has priority over failures in the same batch.
 */
const SETTLE = `
  with mine as materialized (
    select d.endpoint_id, i.* from ${INPUT} join webhook_deliveries d on d.id = i.id and d.fence = i.fence and d.state = 'pending'
    order by d.id for no key update of d
  ), settled as (
    update webhook_deliveries d set state = m.state, reason = m.reason, due_at = coalesce(m.due_at, d.due_at),
      retry = d.retry or m.state = 'pending', leased_until = null, updated_at = m.now
    from mine m where d.id = m.id
  ), logged as (
    insert into webhook_attempts (delivery_id, no, at, duration_ms, status, outcome, error, answer)
    select id, no, at, duration_ms, status, outcome, error, answer from mine where no is not null
  ), seen as (
    select endpoint_id, bool_or(state = 'delivered') as succeeded, min(at) as first, max(now) as now
    from mine where no is not null group by endpoint_id
  ), changing as (
    select e.id, s.* from webhook_endpoints e join seen s on s.endpoint_id = e.id
    where case when s.succeeded then e.failing_since is not null or e.last_success_at is null
        or e.last_success_at < s.now - interval '1 minute' else e.failing_since is null end
    order by e.id for no key update of e
  ), health as (
    update webhook_endpoints e set failing_since = case when c.succeeded then null else c.first end,
      last_success_at = case when c.succeeded then c.now else e.last_success_at end
    from changing c where e.id = c.id
  )
  select m.id, case when s.succeeded then null else coalesce(e.failing_since, s.first) end as failing_since
  from mine m join webhook_endpoints e on e.id = m.endpoint_id left join seen s on s.endpoint_id = m.endpoint_id`;

const DEADLOCK = '40P01';
const MOST_TOGETHER = 500;
/** A second write starts only when the first takes longer than this. */
const PATIENCE_MS = 10;

export function makeSettleDeliveries(database: Database): DeliveryQueue['settle'] {
  const commits = makeGroupCommit<AttemptSettlement, { readonly failingSinceMs: number | null } | undefined>({
    write: async (batch) => {
      const write = () =>
        database.query<{ id: string; failing_since: Date | null }>({
          name: 'webhook-settle',
          text: SETTLE,
          values: columnArrays(COLUMNS, batch),
        });
      // At the same time, a business may request a range of deliveries again. This locks the same rows in a different order, so
      // a deadlock is possible and the write is tried again.
      const { rows } = await write().catch((error: unknown) => {
        if (sqlState(error) === DEADLOCK) return write();
        throw error;
      });
      const found = new Map(rows.map((row) => [row.id, row.failing_since?.getTime() ?? null]));
      return batch.map(({ delivery }) => {
        const failingSinceMs = found.get(delivery.id);
        return failingSinceMs === undefined ? undefined : { failingSinceMs };
      });
    },
    keysOf: ({ delivery }) => [delivery.id],
    maxBatch: MOST_TOGETHER,
    lanes: 2,
    patienceMs: PATIENCE_MS,
  });
  return (settlement) => commits.submit(settlement);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
