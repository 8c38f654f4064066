// The event log: committed events, in an order that no open database transaction can change. A reader sees no event at or above
// the horizon, so it never skips an event that commits late, and sees no event twice.
import type { BusinessEvent, EventType } from '../domain/events/event.ts';
import type { BusinessScope } from './store/reads.ts';

/**
 * How far a reader of all events has read: the last event that it read. The position is opaque, and readers that must not lose it
 * store it in the database. The empty text is the beginning of the log.
 */
export type LogPosition = string;

export interface LogPage {
  readonly events: readonly BusinessEvent[];
  /** The position to continue from. */
  readonly position: LogPosition;
  /** Whether the reader has reached the horizon. */
  readonly atEnd: boolean;
  /**
   * True if the event at the given position is not in this log: the database is an older copy, or another server. The page then
   * starts with the first event, so that nothing is skipped; by id, the reader must recognise the events that it already has.
   */
  readonly startedOver: boolean;
}

export interface EventFilter {
  readonly types?: readonly EventType[];
  readonly transactionId?: string;
  /** The earliest time, inclusive. */
  readonly fromMs?: number;
  /** The latest time, inclusive. */
  readonly toMs?: number;
  /** The list starts after this event. */
  readonly after?: string;
  readonly newestFirst?: boolean;
  /** The last position of the log to read. */
  readonly upTo?: LogPosition;
  readonly limit: number;
}

export interface EventLog {
  /** The start position for a reader that wants only new events. */
  end(): Promise<LogPosition>;
  /** Events of all businesses after a position, oldest first; events for a single endpoint are included. */
  read(after: LogPosition, limit: number): Promise<LogPage>;
  /**
   * Events of one business; fewer than the limit only at the end of the log. Undefined if `after` is not an event of the
   * business.
   */
  list(scope: BusinessScope, filter: EventFilter): Promise<readonly BusinessEvent[] | undefined>;
  /** Finds existing events by id, including events for a single endpoint. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, BusinessEvent>>;
}

/**
 * How far a reader of the event log has read, stored in the database. After a restart a reader repeats the events since its last
 * stored position, so a repeated write must have no further effect.
 */
export interface LogReaders {
  /** Empty if the reader has read nothing. */
  position(reader: string): Promise<LogPosition>;
  /** Does nothing if another process has moved the position. */
  move(reader: string, from: LogPosition, to: LogPosition): Promise<void>;
}
