// Finds places in the log of one business: the place of an event by its id, the places of the rows of one transaction, and the
// places of a period.
import { placeOfEvent } from '../../../domain/events/event.ts';
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import { LINE_TYPE, type PlaceInEventLog, REFUND_MOVES, type ScannedRow } from './log-places.ts';

/**
 * The maximum difference between the time in an event and the time of its commit. The clocks of all processes follow the
 * database's clock, and a commit takes seconds at most.
 */
const SLACK_MS = 600_000;

const BELOW = 'committed_by < pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
// The statement first finds the row by its key. Without statistics, the planner would use an index of the business and read all
// rows of the business.
const FACTS = '(select * from transactions where id = $1 limit 1) as facts';
const LINES = '(select * from timeline where transaction_id = $1 offset 0) as lines';

/** Returns undefined if the business has no such event, or if the event is at or above the horizon. */
export async function findPlaceOfEvent(
  database: Database,
  { businessId, mode }: BusinessScope,
  id: string,
): Promise<PlaceInEventLog | undefined> {
  const place = placeOfEvent(id);
  const subject = place?.transactionId ?? id;
  const { version, isRefund } = place ?? { version: 1, isRefund: false };
  const { rows } = await database.query<{ committed_by: string }>({
    name: 'event-place',
    text: `select committed_by from ${FACTS}
        where $2 = 1 and not $3 and business_id = $4 and mode = $5 and ${BELOW}
      union all select committed_by from ${LINES}
        where version = $2 and (not $3 or ${REFUND_MOVES}) and business_id = $4 and mode = $5 and ${BELOW}
      union all select committed_by from account_events
        where id = $1 and business_id = $4 and mode = $5 and endpoint_id is null and ${BELOW}`,
    values: [subject, version, isRefund, businessId, mode],
  });
  return rows[0] && { committedBy: BigInt(rows[0].committed_by), subject, version, isRefund };
}

/** Reads all rows of the transaction, because a transaction has only a few. */
export async function readRowsOfTransaction(
  database: Database,
  { businessId, mode }: BusinessScope,
  transactionId: string,
): Promise<readonly (ScannedRow & { readonly at_ms: number })[]> {
  const { rows } = await database.query<ScannedRow & { readonly at_ms: number }>({
    name: 'events-of-transaction',
    text: `select committed_by, id as subject, 1 as version, 'transaction.accepted' as type, false as refund_moves,
        (extract(epoch from created_at) * 1000)::float8 as at_ms
      from ${FACTS} where business_id = $2 and mode = $3 and ${BELOW}
      union all select committed_by, transaction_id, version, ${LINE_TYPE}, ${REFUND_MOVES},
        (extract(epoch from at) * 1000)::float8
      from ${LINES} where business_id = $2 and mode = $3 and ${BELOW}`,
    values: [transactionId, businessId, mode],
  });
  return rows;
}

/**
 * Returns the range of commit numbers with the events of a period. The log has no index on time. But transaction ids are in the
 * order of time, and their rows have the commit number: a later event was committed later.
 */
export async function findCommitRange(
  database: Database,
  { fromMs, toMs }: { readonly fromMs?: number | undefined; readonly toMs?: number | undefined },
): Promise<{ readonly first?: bigint; readonly last?: bigint }> {
  if (fromMs === undefined && toMs === undefined) return {};
  const { rows } = await database.query<{ first: string | null; last: string | null }>({
    name: 'events-range-of-times',
    text: `select (select committed_by from transactions where id < $1 order by id desc limit 1) as first,
      (select committed_by from transactions where id > $2 order by id limit 1) as last`,
    values: [
      fromMs === undefined ? null : findIdLowerBound('txn', fromMs - SLACK_MS),
      toMs === undefined ? null : findIdLowerBound('txn', toMs + SLACK_MS),
    ],
  });
  const { first, last } = rows[0]!;
  return { ...(first !== null && { first: BigInt(first) }), ...(last !== null && { last: BigInt(last) }) };
}
