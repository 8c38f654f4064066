// Finds the places of events in the log: which rows come after a place and below the horizon, in the order of commits. This
// file finds rows by their keys only; rows.ts reads the content of the rows.
import type pg from 'pg';
import { type EventType, eventId } from '../../../domain/events/event.ts';
import type { LogPosition } from '../../../ports/events.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';

/** A row of the event log. It is an acceptance (version 1), a timeline line, or an account event (version 1). */
export interface RowPlace {
  readonly committedBy: bigint;
  /** A transaction id, or the id of an account event. */
  readonly subject: string;
  readonly version: number;
}

/**
 * The place of an event in the log. If a timeline line has a refund event, the refund event comes before the other event of
 * that line.
 */
export interface PlaceInEventLog extends RowPlace {
  readonly isRefund: boolean;
}

/** The place before every event. Acceptances that are older than the log have commit numbers below zero. */
export const LOG_START: PlaceInEventLog = {
  committedBy: -(2n ** 62n),
  subject: '',
  version: 0,
  isRefund: false,
};

export const LOG_END: PlaceInEventLog = { committedBy: 2n ** 62n, subject: '', version: 0, isRefund: true };

export function eventIdAt({ subject, version, isRefund }: PlaceInEventLog): string {
  return subject.startsWith('txn_') ? eventId({ transactionId: subject, version, isRefund }) : subject;
}

export function positionOf({ committedBy, subject, version, isRefund }: PlaceInEventLog): LogPosition {
  return `${committedBy}/${subject}/${version}${isRefund ? 'r' : ''}`;
}

const POSITION = /^(-?[0-9]{1,19})\/([a-z0-9_]*)\/([0-9]{1,10})(r?)$/;

/** An empty position means the beginning of the log. */
export function placeAt(position: LogPosition): PlaceInEventLog {
  if (position === '') return LOG_START;
  const [, committedBy, subject, version, refund] = POSITION.exec(position) ?? [];
  if (committedBy === undefined) throw new Error(`not a position in the event log: ${position}`);
  return {
    committedBy: BigInt(committedBy),
    subject: subject!,
    version: Number(version),
    isRefund: refund === 'r',
  };
}

export function comparePlaces(a: PlaceInEventLog, b: PlaceInEventLog): number {
  if (a.committedBy !== b.committedBy) return a.committedBy < b.committedBy ? -1 : 1;
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  if (a.version !== b.version) return a.version - b.version;
  return Number(b.isRefund) - Number(a.isRefund);
}

/** SQL condition for a refund that changes the state of its transaction. Such a timeline line has two events. */
export const REFUND_MOVES = `(reason = 'refund_made' and from_state <> to_state)`;

/** The SQL equivalent of typeOfLine in the domain. A test checks that both return the same type. */
export const LINE_TYPE = `case when from_state <> to_state then 'transaction.' || to_state::text
  when reason = 'refund_made' then 'refund.completed'
  when reason = 'payment_reversed_after_use' then 'transaction.payment_reversed'
  when reason = 'payout_returned' then 'transaction.payout_returned' else 'transaction.updated' end`;

export interface LogScan {
  /** Undefined means events of all businesses, including events for one endpoint only. */
  readonly scope?: BusinessScope | undefined;
  readonly after: PlaceInEventLog;
  /** The scan stops at this place. Undefined means that the scan stops at the horizon. */
  readonly upTo?: PlaceInEventLog | undefined;
  readonly newestFirst?: boolean | undefined;
  /** Null means all event types. */
  readonly types?: readonly EventType[] | null;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly floor?: bigint | undefined;
  readonly ceiling?: bigint | undefined;
  readonly rows: number;
}

export interface ScannedRow {
  /** Null in the only row when the scan found nothing. */
  committed_by: string | null;
  subject: string;
  version: number;
  type: EventType;
  refund_moves: boolean;
  /** False if the row does not match the filter and only shows where this scan ended. */
  wanted: boolean;
  scanned: number;
  /** Whether the event at the position `after` is in the log and below the horizon. */
  known: boolean;
}

/** The scan is one statement, so all its parts have the same snapshot and the same horizon. */
export function scanQuery(scan: LogScan): pg.QueryConfig {
  const { scope, after, upTo, newestFirst = false, types = null } = scan;
  const everything = types === null && scan.fromMs === undefined && scan.toMs === undefined;
  // A row with two events may be read again for its second event.
  const step = newestFirst ? Number(!after.isRefund) : -Number(after.isRefund);
  return {
    name: `events-${scope === undefined ? 'all' : 'scope'}-${newestFirst ? 'newest' : 'oldest'}`,
    text: TEXTS[scope === undefined ? 'all' : 'scope'][newestFirst ? 'newest' : 'oldest'],
    values: [
      ...[String(after.committedBy), after.subject, after.version + step, scan.rows],
      ...[types, types?.includes('transaction.accepted') ?? true, everything],
      ...[timeOrNull(scan.fromMs), timeOrNull(scan.toMs), after.version],
      ...[String(scan.floor ?? LOG_START.committedBy), String(minBigint(upTo?.committedBy, scan.ceiling))],
      ...(scope === undefined ? [] : [scope.businessId, scope.mode]),
    ],
  };
}

function minBigint(a = LOG_END.committedBy, b = LOG_END.committedBy): bigint {
  return a < b ? a : b;
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

type ScanDirection = 'oldest' | 'newest';

function scanText(kind: 'all' | 'scope', direction: ScanDirection): string {
  const [after, from, order] = direction === 'oldest' ? ['>', '>=', ''] : ['<', '<=', ' desc'];
  const own = kind === 'scope' ? 'business_id = $13 and mode = $14 and' : '';
  // These conditions are true for all rows. They make the planner use the index of the business.
  const ofBusiness = (condition: string) => (kind === 'scope' ? `${condition} and` : '');
  const source = (table: string, [id, version]: readonly [string, string], columns: string, more = '') => `(
    select committed_by, ${id} as subject, ${version} as version, ${columns} from ${table}
    where ${own} ${more} committed_by ${from} $1::bigint and committed_by between $11::bigint and $12::bigint
      and committed_by < (select horizon from instant)
      and (committed_by, ${id}, ${version}) ${after} ($1::bigint, $2::text, $3::int)
    order by committed_by${order}, ${id}${order}${version === '1' ? '' : `, version${order}`} limit $4)`;
  return `
with instant as materialized (
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon
), scan as materialized (
  select *, row_number() over (order by committed_by${order}, subject${order}, version${order}) as no from (
    ${source('transactions', ['id', '1'], `'transaction.accepted' as type, false as refund_moves, created_at as at`, `$6::boolean and ${ofBusiness('amount_minor > 0')}`)}
    union all ${source('timeline', ['transaction_id', 'version'], `${LINE_TYPE}, ${REFUND_MOVES}, at`, ofBusiness('version > 1'))}
    union all ${source('account_events', ['id', '1'], 'type, false, at', ofBusiness('endpoint_id is null'))}
  ) as rows order by committed_by${order}, subject${order}, version${order} limit $4
), counted as (select count(*)::int as scanned from scan), judged as (
  select *, $7::boolean or (($5::text[] is null or type = any ($5) or (refund_moves and 'refund.completed' = any ($5)))
    and ($8::timestamptz is null or at >= $8) and ($9::timestamptz is null or at <= $9)) as wanted from scan
)
select j.committed_by, j.subject, j.version, j.type, j.refund_moves, j.wanted, c.scanned,
  $1::bigint < (select horizon from instant) and (
    exists (select from transactions where id = $2 and $10::int = 1 and committed_by = $1)
    or exists (select from timeline where transaction_id = $2 and version = $10 and committed_by = $1)
    or exists (select from account_events where id = $2 and committed_by = $1)) as known
from counted c left join judged j on j.wanted or j.no = c.scanned order by j.no`;
}

const TEXTS = {
  all: { oldest: scanText('all', 'oldest'), newest: scanText('all', 'newest') },
  scope: { oldest: scanText('scope', 'oldest'), newest: scanText('scope', 'newest') },
};
