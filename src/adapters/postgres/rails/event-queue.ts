// Queues rail events in PostgreSQL. Workers lease them as in every queue.
import { parseBankReference } from '../../../domain/records/movement.ts';
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type {
  NewRailEvent,
  RailEvent,
  RailEventFigures,
  RailEventQueue,
} from '../../../ports/rails/rail-event-store.ts';
import type { RailKey } from '../../../ports/rails/rail-store.ts';
import type { LeaseRequest } from '../../../ports/store/queues.ts';
import type { Database } from '../connection/database.ts';

export function makeEventQueue(database: Database): RailEventQueue {
  return {
    store: (event) => storeEvent(database, event),
    lease: (of, request) => leaseEvents(database, of, request),
    move: async ({ id, version }, { state, outcome, looks, dueAtMs }) => {
      const { rowCount } = await database.query({
        name: 'move-rail-event',
        text: `update rail_events set state = $3, outcome = $4, looks = $5, due_at = to_timestamp($6::float8 / 1000),
          version = version + 1 where id = $1 and version = $2`,
        values: [id, version, state, outcome, looks, dueAtMs],
      });
      return rowCount === 1;
    },
    hastenPayout: (of, reference, isPaid, atMs) => hastenPayout(database, of, reference, isPaid, atMs),
    forget: async ({ overMs, reviewMs }, limit) => {
      const { rowCount } = await database.query({
        name: 'forget-rail-events',
        text: `delete from rail_events where id = any (array(
          select id from rail_events where received_at < to_timestamp($1::float8 / 1000)
            and (state in ('done', 'ignored') or (state = 'review' and received_at < to_timestamp($2::float8 / 1000)))
          order by received_at limit $3))`,
        values: [overMs, reviewMs, limit],
      });
      return rowCount ?? 0;
    },
    figures: (of) => readFigures(database, of),
    countCredits: (of, sinceMs) => countCredits(database, of, sinceMs),
  };
}

async function storeEvent(database: Database, event: NewRailEvent): Promise<'stored' | 'known'> {
  const { id, mode, rail, digest, body, type, topic, about, isPaid, receivedAtMs, state, dueAtMs } = event;
  const { rowCount } = await database.query({
    name: 'store-rail-event',
    text: `insert into rail_events (id, mode, rail, digest, body, type, topic, about, is_paid, received_at, state, due_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10::float8 / 1000), $11,
        to_timestamp($12::float8 / 1000))
      on conflict (mode, rail, digest) do nothing`,
    values: [id, mode, rail, digest, body, type, topic, about, isPaid, receivedAtMs, state, dueAtMs],
  });
  return rowCount === 1 ? 'stored' : 'known';
}

async function leaseEvents(
  database: Database,
  { mode, rail }: RailKey,
  { atMs, leaseMs, limit }: LeaseRequest,
): Promise<readonly RailEvent[]> {
  const { rows } = await database.query<RailEvent & object>({
    name: 'lease-rail-events',
    text: `update rail_events t set due_at = to_timestamp(($1::float8 + $2::float8) / 1000),
        version = t.version + 1, tries = t.tries + 1
      where t.id = any (array(
        select id from rail_events where mode = $4 and rail = $5 and due_at <= to_timestamp($1::float8 / 1000)
        order by due_at limit $3 for update skip locked))
      returning id, mode, rail, type, topic, about, is_paid as "isPaid", tries, looks, version`,
    values: [atMs, leaseMs, limit, mode, rail],
  });
  return rows;
}

/**
 * The version of the movement stays the same, so a worker that holds the movement can commit its result. If a second worker
 * leases the movement at the same time, it only queries the rail, as it would after an expired lease.
 */
async function hastenPayout(
  database: Database,
  { mode, rail }: RailKey,
  reference: string,
  isPaid: boolean,
  atMs: number,
): Promise<boolean> {
  const of = [parseBankReference(reference), mode, rail, reference, atMs];
  const alive = await database.query({
    name: 'hasten-payout',
    text: `update movements m set due_at = least(m.due_at, to_timestamp($5::float8 / 1000))
      where m.id = $1 and m.mode = $2 and m.state in ('sending', 'unknown') and exists (
        select from movement_attempts a
        where a.movement_id = m.id and a.no = m.attempts and a.rail = $3 and a.reference = $4)`,
    values: of,
  });
  const ended = await database.query({
    name: 'hasten-ended-payout',
    text: `update ended_payouts set due_at = least(due_at, to_timestamp($5::float8 / 1000))
      where movement_id = $1 and mode = $2 and rail = $3 and reference = $4 and paid <> $6`,
    values: [...of, isPaid],
  });
  return (alive.rowCount ?? 0) + (ended.rowCount ?? 0) > 0;
}

async function readFigures(database: Database, { mode, rail }: RailKey): Promise<RailEventFigures> {
  const { rows } = await database.query<{
    open: number;
    review: number;
    since: Date | null;
    newest: Date | null;
  }>({
    name: 'rail-event-figures',
    text: `select count(*) filter (where state = 'open')::int as open,
        count(*) filter (where state = 'review')::int as review,
        min(received_at) filter (where state = 'review') as since,
        (select max(received_at) from rail_events where mode = $1 and rail = $2) as newest
      from rail_events where mode = $1 and rail = $2 and state in ('open', 'review')`,
    values: [mode, rail],
  });
  const { open, review, since, newest } = rows[0]!;
  return {
    ...{ open, inReview: review, reviewSinceMs: since?.getTime() ?? null },
    newestAtMs: newest?.getTime() ?? null,
  };
}

/** Ids are in the order of time, so an index on ids is enough. Counting stops at a hundred. */
async function countCredits(database: Database, { mode, rail }: RailKey, sinceMs: number): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: 'count-credits-of-rail',
    text: `select count(*)::int as count from (select from (
        select parent_id from bank_credits where id >= $1 and mode = $2 and source = $3 order by id offset 0) since
      where parent_id is null limit 100) recent`,
    values: [findIdLowerBound('crd', sinceMs), mode, rail],
  });
  return rows[0]!.count;
}
