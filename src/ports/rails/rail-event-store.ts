// Stored events of rails, for people: the outcome of each event, and people's decisions about events that the service could not
// verify.
import type { Mode } from '../../domain/values/mode.ts';
import type { AuditStamp } from '../back-office.ts';
import type { RailEventState } from './rail-event-queue.ts';
import type { RailKey } from './rail-store.ts';

/** A stored event without its body, because the body contains names of people. */
export interface StoredRailEvent extends RailKey {
  readonly id: string;
  /** The rail's own name for the type. */
  readonly type: string;
  readonly topic: 'credit' | 'payout' | 'other';
  /** The subject of the query to the rail. */
  readonly about: string | null;
  readonly state: RailEventState;
  /** The outcome, or the reason why the event still waits. */
  readonly outcome: string | null;
  readonly looks: number;
  readonly receivedAtMs: number;
}

export interface RailEventFilter {
  readonly mode?: Mode | undefined;
  readonly rail?: string | undefined;
  readonly state?: RailEventState | undefined;
  readonly limit: number;
}

export interface RailEventStore {
  /** Newest first. */
  list(filter: RailEventFilter): Promise<readonly StoredRailEvent[]>;
  find(id: string): Promise<StoredRailEvent | undefined>;
  /** From now on the rail is queried again, as if the event were new. False if the event is not in review. */
  tryAgain(id: string, doing: AuditStamp): Promise<boolean>;
  /** Closes an event without creating a credit; false if it is not in review. */
  close(id: string, reason: string, doing: AuditStamp): Promise<boolean>;
}
