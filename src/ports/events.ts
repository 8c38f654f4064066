// The event log: committed events in an order that no open database transaction can change. A reader sees only events below the
// horizon, so it never skips an event that commits late and sees each event once.
import type { BusinessEvent, EventType } from '../domain/events/event.ts';
import type { BusinessScope } from './store/reads.ts';

/**
 * The position of a reader in the event log: the last event that it read. The text is opaque, and a reader that must not lose
 * its position stores it in the database. The empty text is the beginning of the log.
 */
export type LogPosition = string;

export interface LogPage {
  readonly events: readonly BusinessEvent[];
  /** The position from which the next read continues. */
  readonly position: LogPosition;
  readonly atEnd: boolean;
  /**
   * Whether the event at the given position is missing from this log, because the database is an older copy or another server.
   * The page then starts with the first event, so that the reader skips nothing. The reader must recognise by id the events
   * that it already has.
   */
  readonly startedOver: boolean;
}

export interface EventFilter {
  readonly types?: readonly EventType[];
  readonly transactionId?: string;
  /** The earliest time of an event, inclusive. */
  readonly fromMs?: number;
  /** The latest time of an event, inclusive. */
  readonly toMs?: number;
  /** The list starts after the event with this id. */
  readonly after?: string;
  readonly newestFirst?: boolean;
  /** The list ends at this position of the log. */
  readonly upTo?: LogPosition;
  readonly limit: number;
}

export interface EventLog {
  /** Returns the position at which a reader starts if it wants only new events. */
  end(): Promise<LogPosition>;
  /** Returns the events of all businesses after a position, oldest first. Events for a single endpoint are included. */
  read(after: LogPosition, limit: number): Promise<LogPage>;
  /**
   * Returns events of one business. A list shorter than the limit means that the log ends there. Undefined if `after` is not an
   * event of the business.
   */
  list(scope: BusinessScope, filter: EventFilter): Promise<readonly BusinessEvent[] | undefined>;
  /** Finds events by id, including events for a single endpoint. Unknown ids are omitted. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, BusinessEvent>>;
}

/**
 * The position of each reader of the event log, stored in the database. After a restart, a reader repeats the events since its
 * stored position, so a repeated write must have no further effect.
 */
export interface LogReaders {
  /** Empty if the reader has read nothing. */
  position(reader: string): Promise<LogPosition>;
  /** Does nothing if another process has moved the position since `from`. */
  move(reader: string, from: LogPosition, to: LogPosition): Promise<void>;
}
