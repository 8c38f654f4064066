// The event log on PostgreSQL: acceptances, lines of the timeline and events of the account, read in the order of commits and
// only below the horizon. The last event that a reader has is its position, never the horizon: after a crash the server may
// give the number at the horizon to another transaction.
import { type EventType, placeOfEvent } from '../../../domain/events/event.ts';
import type { EventFilter, EventLog, LogPage, LogReaders } from '../../../ports/events.ts';
import type { Scope } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import {
  comparePlaces,
  END,
  type FoundRow,
  idAt,
  type Place,
  placeAt,
  positionOf,
  type Scan,
  START,
  scanQuery,
} from './places.ts';
import { eventsOf } from './rows.ts';
import { placeOfEventIn, rangeOfTimes, rowsOfTransaction } from './seeks.ts';

/** Rows that one statement looks at when it has to judge each of them. */
const ROWS_TO_JUDGE = 5_000;

export function makeEventLog(database: Database): EventLog {
  return {
    end: async () => {
      const { places } = await scanned(database, { after: END, newestFirst: true, rows: 1 });
      return places[0] === undefined ? '' : positionOf(places[0]);
    },
    read: async (after, limit) => read(database, placeAt(after), limit),
    list: (scope, filter) => list(database, scope, filter),
    byIds: async (ids) => {
      const wanted = new Set(ids);
      const events = await eventsOf(database, ids.map(rowOf));
      return new Map([...events].filter(([id]) => wanted.has(id)));
    },
  };
}

function rowOf(id: string) {
  const place = placeOfEvent(id);
  return { subject: place?.transactionId ?? id, version: place?.version ?? 1 };
}

async function read(database: Database, after: Place, limit: number): Promise<LogPage> {
  const isStart = after.subject === '';
  const { places, known, atEnd } = await scanned(database, { after, rows: limit });
  if (!known && !isStart) return { ...(await read(database, START, limit)), startedOver: true };
  const page = places.slice(0, limit);
  return {
    events: await eventsAt(database, page),
    position: page.length === 0 ? (isStart ? '' : positionOf(after)) : positionOf(page.at(-1)!),
    atEnd: atEnd && page.length === places.length,
    startedOver: false,
  };
}

async function list(database: Database, scope: Scope, filter: EventFilter) {
  const { newestFirst = false, limit } = filter;
  const after = filter.after === undefined ? undefined : await placeOfEventIn(database, scope, filter.after);
  if (filter.after !== undefined && after === undefined) return undefined;
  const upTo = filter.upTo === undefined ? undefined : placeAt(filter.upTo);
  const range = { after: after ?? (newestFirst ? END : START), newestFirst, upTo };
  const found =
    filter.transactionId === undefined
      ? await listed(database, scope, filter, range)
      : (await rowsOfTransaction(database, scope, filter.transactionId))
          .filter((row) => isWithin(row.at_ms, filter))
          .flatMap((row) => placesOf(row, filter.types ?? null, range))
          .sort((a, b) => (newestFirst ? comparePlaces(b, a) : comparePlaces(a, b)));
  return eventsAt(database, found.slice(0, limit));
}

function isWithin(atMs: number, { fromMs, toMs }: EventFilter): boolean {
  return (fromMs === undefined || atMs >= fromMs) && (toMs === undefined || atMs <= toMs);
}

/** Scan by scan until the page is full. A rare type may need many; each looks at a bounded number of rows. */
async function listed(
  database: Database,
  scope: Scope,
  { types, fromMs, toMs, limit }: EventFilter,
  range: Pick<Scan, 'after' | 'upTo' | 'newestFirst'>,
): Promise<readonly Place[]> {
  const judges = types !== undefined || fromMs !== undefined || toMs !== undefined;
  // The row at `after` may be looked at again, for the other one of its two events.
  const rows = judges ? ROWS_TO_JUDGE : limit + 1;
  const { first, last } = await rangeOfTimes(database, { fromMs, toMs });
  const scan = { scope, ...range, types: types ?? null, fromMs, toMs, rows, floor: first, ceiling: last };
  const found: Place[] = [];
  for (let after = range.after; found.length < limit; ) {
    const { places, lastRow, atEnd } = await scanned(database, { ...scan, after });
    found.push(...places);
    if (atEnd) break;
    after = { ...lastRow!, isRefund: range.newestFirst === true };
  }
  return found;
}

/** The events of the rows that a scan finds, in its order. */
async function scanned(database: Database, scan: Scan) {
  const { rows } = await database.query<FoundRow>(scanQuery(scan));
  const found = rows.filter((row) => row.committed_by !== null);
  const last = found.at(-1);
  return {
    places: found.filter(({ wanted }) => wanted).flatMap((row) => placesOf(row, scan.types ?? null, scan)),
    known: rows[0]!.known,
    lastRow: last && rowPlace(last),
    atEnd: rows[0]!.scanned < scan.rows,
  };
}

function rowPlace({ committed_by, subject, version }: FoundRow) {
  return { committedBy: BigInt(committed_by!), subject, version };
}

/** One event or two; without those that the reader has, does not want, or must not see yet. */
function placesOf(
  row: FoundRow,
  types: readonly EventType[] | null,
  { after, upTo, newestFirst = false }: Pick<Scan, 'after' | 'upTo' | 'newestFirst'>,
): Place[] {
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

async function eventsAt(database: Database, places: readonly Place[]) {
  if (places.length === 0) return [];
  const events = await eventsOf(
    database,
    places.filter(
      ({ subject, version }, index) =>
        subject !== places[index - 1]?.subject || version !== places[index - 1]?.version,
    ),
  );
  return places.map((place) => {
    const event = events.get(idAt(place));
    if (event === undefined) throw new Error(`the event log has no event ${idAt(place)}`);
    return event;
  });
}

/** Positions of readers of the event log, one row each. */
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
