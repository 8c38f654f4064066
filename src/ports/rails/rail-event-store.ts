// Stored events of rails, for people: the outcome of each, and the decisions about those that the service could not verify.
import type { Mode } from '../../domain/values/mode.ts';
import type { AuditStamp } from '../back-office.ts';
import type { RailEventState } from './rail-event-queue.ts';
import type { RailKey } from './rail-store.ts';

/** A stored event without its body, which names people. */
export interface StoredRailEvent extends RailKey {
  readonly id: string;
  /** The rail's own name of the type. */
  readonly type: string;
  readonly topic: 'credit' | 'payout' | 'other';
  /** The subject of the query to the rail. */
  readonly about: string | null;
  readonly state: RailEventState;
  /** The outcome, or the reason for waiting. */
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
  /** The rail is asked again from now on, as if the event were new. False: it is not in review. */
  tryAgain(id: string, doing: AuditStamp): Promise<boolean>;
  /** Closes an event without a credit; false: it is not in review. */
  close(id: string, reason: string, doing: AuditStamp): Promise<boolean>;
}
