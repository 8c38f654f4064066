// How far a reader of the event log has read, kept in the database. A reader repeats what it read since it last moved, so its
// writes are such that a repetition changes nothing.
import type { LogPosition } from './event-log.ts';

export interface LogReaders {
  /** Empty: it has read nothing. */
  position(reader: string): Promise<LogPosition>;
  /** Does nothing when another process has moved it. */
  move(reader: string, from: LogPosition, to: LogPosition): Promise<void>;
}
