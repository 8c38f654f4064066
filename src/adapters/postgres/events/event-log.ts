// Reads the event log from PostgreSQL: acceptances, timeline lines and account events, in the order of commits and only below
// the horizon. The position of a reader is the last event that it has read, never the horizon. After a crash the server may
// give the number at the horizon to another transaction.
import { type EventType, placeOfEvent } from '../../../domain/events/event.ts';
import type { EventFilter, EventLog, LogPage, LogReaders } from '../../../ports/events.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import {
  comparePlaces,
  eventIdAt,
  LOG_END,
  LOG_START,
  type LogScan,
  type PlaceInEventLog,
  placeAt,
  positionOf,
  type ScannedRow,
  scanQuery,
} from './log-places.ts';
import { readEventsOfRows } from './rows.ts';
import { findCommitRange, findPlaceOfEvent, readRowsOfTransaction } from './seeks.ts';

/** The number of rows that one statement reads when it must compare each row with the filter. */
const ROWS_TO_JUDGE = 5_000;

export function makeEventLog(database: Database): EventLog {
  return {
    end: async () => {
      const { places } = await runScan(database, { after: LOG_END, newestFirst: true, rows: 1 });
      return places[0] === undefined ? '' : positionOf(places[0]);
    },
    read: async (after, limit) => readLogPage(database, placeAt(after), limit),
    list: (scope, filter) => listEvents(database, scope, filter),
    byIds: async (ids) => {
      const wanted = new Set(ids);
      const events = await readEventsOfRows(database, ids.map(seekRowOf));
      return new Map([...events].filter(([id]) => wanted.has(id)));
    },
  };
}

function seekRowOf(id: string) {
  const place = placeOfEvent(id);
  return { subject: place?.transactionId ?? id, version: place?.version ?? 1 };
}

async function readLogPage(database: Database, after: PlaceInEventLog, limit: number): Promise<LogPage> {
  const isStart = after.subject === '';
  const { places, known, atEnd } = await runScan(database, { after, rows: limit });
  if (!known && !isStart) return { ...(await readLogPage(database, LOG_START, limit)), startedOver: true };
  const page = places.slice(0, limit);
  return {
    events: await readEventsAt(database, page),
    position: page.length === 0 ? (isStart ? '' : positionOf(after)) : positionOf(page.at(-1)!),
    atEnd: atEnd && page.length === places.length,
    startedOver: false,
  };
}

async function listEvents(database: Database, scope: BusinessScope, filter: EventFilter) {
  const { newestFirst = false, limit } = filter;
  const after =
    filter.after === undefined ? undefined : await findPlaceOfEvent(database, scope, filter.after);
  if (filter.after !== undefined && after === undefined) return undefined;
  const upTo = filter.upTo === undefined ? undefined : placeAt(filter.upTo);
  const range = { after: after ?? (newestFirst ? LOG_END : LOG_START), newestFirst, upTo };
  const found =
    filter.transactionId === undefined
      ? await scanUntilFull(database, scope, filter, range)
      : (await readRowsOfTransaction(database, scope, filter.transactionId))
          .filter((row) => isWithin(row.at_ms, filter))
          .flatMap((row) => placesOf(row, filter.types ?? null, range))
          .sort((a, b) => (newestFirst ? comparePlaces(b, a) : comparePlaces(a, b)));
  return readEventsAt(database, found.slice(0, limit));
}

function isWithin(atMs: number, { fromMs, toMs }: EventFilter): boolean {
  return (fromMs === undefined || atMs >= fromMs) && (toMs === undefined || atMs <= toMs);
}

/**
 * Repeats scans until the page is full or the log ends. A rare event type may need many scans, and each scan reads a limited
 * number of rows.
 */
async function scanUntilFull(
  database: Database,
  scope: BusinessScope,
  { types, fromMs, toMs, limit }: EventFilter,
  range: Pick<LogScan, 'after' | 'upTo' | 'newestFirst'>,
): Promise<readonly PlaceInEventLog[]> {
  const judges = types !== undefined || fromMs !== undefined || toMs !== undefined;
  // The log row at the position `after` may have a second event, so this row may be read again.
  const rows = judges ? ROWS_TO_JUDGE : limit + 1;
  const { first, last } = await findCommitRange(database, { fromMs, toMs });
  const scan = { scope, ...range, types: types ?? null, fromMs, toMs, rows, floor: first, ceiling: last };
  const found: PlaceInEventLog[] = [];
  for (let after = range.after; found.length < limit; ) {
    const { places, lastRow, atEnd } = await runScan(database, { ...scan, after });
    found.push(...places);
    if (atEnd) break;
    after = { ...lastRow!, isRefund: range.newestFirst === true };
  }
  return found;
}

async function runScan(database: Database, scan: LogScan) {
  const { rows } = await database.query<ScannedRow>(scanQuery(scan));
  const found = rows.filter((row) => row.committed_by !== null);
  const last = found.at(-1);
  return {
    places: found.filter(({ wanted }) => wanted).flatMap((row) => placesOf(row, scan.types ?? null, scan)),
    known: rows[0]!.known,
    lastRow: last && rowPlace(last),
    atEnd: rows[0]!.scanned < scan.rows,
  };
}

function rowPlace({ committed_by, subject, version }: ScannedRow) {
  return { committedBy: BigInt(committed_by!), subject, version };
}

/**
 * Returns the places of the one or two events of a log row. It leaves out events that the reader already has, does not want, or
 * must not see yet.
 */
function placesOf(
  row: ScannedRow,
  types: readonly EventType[] | null,
  { after, upTo, newestFirst = false }: Pick<LogScan, 'after' | 'upTo' | 'newestFirst'>,
): PlaceInEventLog[] {
  const own = { ...rowPlace(row), isRefund: false };
  const wants = (type: EventType) => types === null || types.includes(type);
  const places = wants(row.type) ? [own] : [];
  if (row.refund_moves && wants('refund.completed')) {
    const refund = { ...own, isRefund: true };
    if (newestFirst) places.push(refund);
    else places.unshift(refund);
  }
  return places.filter((place) => {
    const order = comparePlaces(place, after);
    if (newestFirst ? order >= 0 : order <= 0) return false;
    return upTo === undefined || comparePlaces(place, upTo) <= 0;
  });
}

async function readEventsAt(database: Database, places: readonly PlaceInEventLog[]) {
  if (places.length === 0) return [];
  const events = await readEventsOfRows(
    database,
    places.filter(
      ({ subject, version }, index) =>
        subject !== places[index - 1]?.subject || version !== places[index - 1]?.version,
    ),
  );
  return places.map((place) => {
    const event = events.get(eventIdAt(place));
    if (event === undefined) throw new Error(`the event log has no event ${eventIdAt(place)}`);
    return event;
  });
}

export function makeLogReaders(database: Database): LogReaders {
  return {
    position: async (reader) => {
      const { rows } = await database.query<{ position: string }>({
        name: 'log-reader-position',
        text: 'select position from log_readers where name = $1',
        values: [reader],
      });
      return rows[0]?.position ?? '';
    },
    move: async (reader, from, to) => {
      await database.query({
        name: 'log-reader-move',
        text: `insert into log_readers as r (name, position) values ($1, $3)
          on conflict (name) do update set position = excluded.position where r.position = $2`,
        values: [reader, from, to],
      });
    },
  };
}
