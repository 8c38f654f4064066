// The event log in memory. A commit gets its number when it begins. Several commits run at once, so they become visible out of
// order. A reader sees nothing at or above the horizon, which is the number of the oldest running commit.
import {
  type BusinessEvent,
  type EventChange,
  eventId,
  eventTypeOfLine,
  hasRefundEvent,
} from '../../../../src/domain/events/event.ts';
import type { EventFilter, EventLog, LogPage } from '../../../../src/ports/events.ts';
import type { BusinessScope } from '../../../../src/ports/store/reads.ts';
import type { NewAccountEvent } from '../../../../src/ports/webhooks.ts';
import type { Sync } from '../../model/tables.ts';
import type { LoggedRow } from '../record.ts';

interface Place {
  readonly number: number;
  readonly subject: string;
  readonly version: number;
  readonly isRefund: boolean;
}

export interface LogEntry extends Place {
  readonly event: BusinessEvent;
}

export interface EventLogModel extends Sync<EventLog> {
  /** Every visible event in the order of the log, including events above the horizon. */
  readonly entries: readonly LogEntry[];
  begin(): number;
  abort(number: number): void;
  commitRows(number: number, rows: readonly LoggedRow[]): void;
  commitAccountEvent(number: number, event: NewAccountEvent): void;
  /** Ends the transaction without an entry in the log. */
  commitNothing(number: number): void;
  find(id: string): LogEntry | undefined;
  checkpoint(): () => void;
}

export function makeLogModel(): EventLogModel {
  const entries: LogEntry[] = [];
  const ids = new Map<string, LogEntry>();
  const counts = new Map<string, number>();
  const running = new Set<number>();
  let next = 1;
  const horizon = () => (running.size === 0 ? next : Math.min(...running));
  const isBelow = ({ number }: LogEntry) => number < horizon();
  const add = (entry: LogEntry) => {
    let at = entries.length;
    while (at > 0 && comparePlaces(entries[at - 1]!, entry) > 0) at--;
    entries.splice(at, 0, entry);
    ids.set(entry.event.id, entry);
  };
  return {
    entries,
    begin: () => {
      running.add(next);
      return next++;
    },
    abort: (number) => void running.delete(number),
    commitNothing: (number) => void running.delete(number),
    commitRows: (number, rows) => {
      for (const row of rows) {
        const { id } = row.transaction;
        const events = eventsOfRow(row, counts.get(id) ?? 0);
        counts.set(id, (counts.get(id) ?? 0) + events.length);
        for (const [event, isRefund] of events)
          add({ number, subject: id, version: row.transaction.version, isRefund, event });
      }
      running.delete(number);
    },
    commitAccountEvent: (number, event) => {
      add({ number, subject: event.id, version: 1, isRefund: false, event: accountEventOf(event) });
      running.delete(number);
    },
    find: (id) => ids.get(id),
    end: () => {
      const last = entries.findLast(isBelow);
      return last === undefined ? '' : positionAt(last);
    },
    read: (after, limit) => readPage(entries, horizon(), after, limit),
    list: (scope, filter) => listed(entries.filter(isBelow), ids, scope, filter),
    byIds: (wanted) =>
      new Map(
        wanted.flatMap((id) => {
          const entry = ids.get(id);
          return entry !== undefined && isBelow(entry) ? [[id, entry.event] as const] : [];
        }),
      ),
    checkpoint: () => {
      const [then, number] = [[...entries], next];
      return () => {
        entries.splice(0, entries.length, ...then);
        ids.clear();
        counts.clear();
        running.clear();
        next = number;
        for (const entry of then) {
          ids.set(entry.event.id, entry);
          counts.set(entry.subject, (counts.get(entry.subject) ?? 0) + 1);
        }
      };
    },
  };
}

function readPage(entries: readonly LogEntry[], horizon: number, after: string, limit: number): LogPage {
  const below = entries.filter(({ number }) => number < horizon);
  const from = after === '' ? 0 : below.findIndex((each) => positionAt(each) === after) + 1;
  if (after !== '' && from === 0) return { ...readPage(entries, horizon, '', limit), startedOver: true };
  const page = below.slice(from, from + limit);
  return {
    events: page.map(({ event }) => event),
    position: page.length === 0 ? after : positionAt(page.at(-1)!),
    atEnd: from + page.length >= below.length,
    startedOver: false,
  };
}

function listed(
  below: readonly LogEntry[],
  ids: ReadonlyMap<string, LogEntry>,
  { businessId, mode }: BusinessScope,
  { types, transactionId, fromMs, toMs, after, newestFirst = false, upTo, limit }: EventFilter,
): readonly BusinessEvent[] | undefined {
  const isOwn = ({ event }: LogEntry) =>
    event.businessId === businessId && event.mode === mode && !(event.kind === 'account' && event.endpointId);
  const start = after === undefined ? undefined : ids.get(after);
  if (after !== undefined && (start === undefined || !isOwn(start) || !below.includes(start)))
    return undefined;
  const last = upTo === undefined ? undefined : below.find((each) => positionAt(each) === upTo);
  const ordered = newestFirst ? below.toReversed() : below;
  const found = ordered.filter((entry) => {
    const { event } = entry;
    if (!isOwn(entry) || (types !== undefined && !types.includes(event.type))) return false;
    if (transactionId !== undefined && entry.subject !== transactionId) return false;
    if (event.atMs < (fromMs ?? event.atMs) || event.atMs > (toMs ?? event.atMs)) return false;
    if (last !== undefined && comparePlaces(entry, last) > 0) return false;
    if (start === undefined) return true;
    return newestFirst ? comparePlaces(entry, start) < 0 : comparePlaces(entry, start) > 0;
  });
  return found.slice(0, limit).map(({ event }) => event);
}

function positionAt({ number, subject, version, isRefund }: Place): string {
  return `${number}/${subject}/${version}${isRefund ? 'r' : ''}`;
}

function comparePlaces(a: Place, b: Place): number {
  if (a.number !== b.number) return a.number - b.number;
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  if (a.version !== b.version) return a.version - b.version;
  return Number(b.isRefund) - Number(a.isRefund);
}

/**
 * Returns the state change, and also the refund if the row has one. `earlier`: the number of events of the transaction before
 * this row.
 */
function eventsOfRow(
  { transaction: stored, line, refund }: LoggedRow,
  earlier: number,
): readonly (readonly [BusinessEvent, boolean])[] {
  const transaction = { ...stored, released: false, tries: 0, dueAtMs: null };
  const { id, version, businessId, mode, updatedAtMs: atMs } = transaction;
  const change: EventChange =
    line === null
      ? { from: null, to: transaction.state, actor: 'business', reason: 'accepted' }
      : { from: line.from, to: transaction.state, actor: line.actor, reason: line.reason };
  const moves = hasRefundEvent(change);
  const made = refund && {
    ...{ movementId: refund.id, nairaMinor: refund.nairaMinor, network: refund.network },
    ...{ destination: refund.destination, reference: String(line!.evidence?.reference) },
  };
  const common = { kind: 'transaction', businessId, mode, atMs, transaction, change } as const;
  const own: BusinessEvent = {
    ...common,
    ...{ id: eventId({ transactionId: id, version, isRefund: false }), type: eventTypeOfLine(change) },
    ...{ sequence: earlier + (moves ? 2 : 1), refund: moves ? null : made },
  };
  if (!moves) return [[own, false]];
  const first = eventId({ transactionId: id, version, isRefund: true });
  const completed: BusinessEvent = {
    ...{ ...common, id: first, type: 'refund.completed', sequence: earlier + 1, refund: made },
  };
  return [
    [completed, true],
    [own, false],
  ];
}

function accountEventOf({
  id,
  type,
  businessId,
  mode,
  atMs,
  data,
  endpointId,
}: NewAccountEvent): BusinessEvent {
  return { kind: 'account', id, type, sequence: 1, businessId, mode, atMs, data, endpointId };
}
