// The event log: what was committed, in an order that no open database transaction can break. A reader sees nothing at or above
// the horizon, so an event that commits late is never skipped, and none is seen twice.
import type { BusinessEvent, EventType } from '../domain/events/event.ts';
import type { BusinessScope } from './store/reads.ts';

/**
 * Up to where a reader of all events has read: the last event it has. Opaque, and kept in the database by readers that must
 * not lose it. The empty text is the beginning of the log.
 */
export type LogPosition = string;

export interface LogPage {
  readonly events: readonly BusinessEvent[];
  /** The position to continue from. */
  readonly position: LogPosition;
  /** Whether the reader has reached the horizon. */
  readonly atEnd: boolean;
  /**
   * The event at the given position is not in this log: the database is an older copy, or another server. The page begins
   * with the first event, so that nothing is skipped; the reader has to know by their ids which events it had.
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
  /** The event to start after, in the order of the list. */
  readonly after?: string;
  readonly newestFirst?: boolean;
  /** The last position of the log to read. */
  readonly upTo?: LogPosition;
  readonly limit: number;
}

export interface EventLog {
  /** The position at which a reader starts that wants only new events. */
  end(): Promise<LogPosition>;
  /** Events of all businesses after a position, oldest first. Those for one endpoint only are included. */
  read(after: LogPosition, limit: number): Promise<LogPage>;
  /** Events of one business, fewer than the limit only at the end; undefined: `after` is no event of it. */
  list(scope: BusinessScope, filter: EventFilter): Promise<readonly BusinessEvent[] | undefined>;
  /** Finds existing events by id, including events for one endpoint. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, BusinessEvent>>;
}

/**
 * How far a reader of the event log has read, kept in the database. A reader repeats what it read since it
 * last moved, so its writes are such that a repetition changes nothing.
 */
export interface LogReaders {
  /** Empty: it has read nothing. */
  position(reader: string): Promise<LogPosition>;
  /** Does nothing when another process has moved it. */
  move(reader: string, from: LogPosition, to: LogPosition): Promise<void>;
}
