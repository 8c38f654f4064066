// Stored events of rails. They are stored first, and processed later under a lease. The same bytes from the same rail are one row,
// even if they arrive several times. People see the outcome, and decide about events that the service could not verify.
import type { Mode } from '../../domain/values/mode.ts';
import type { AuditStamp } from '../back-office.ts';
import type { LeaseRequest } from '../store/queues.ts';
import type { RailKey } from './rail-store.ts';

export const RAIL_EVENT_STATES = ['open', 'done', 'ignored', 'review'] as const;
/** `review`: the rail was queried for a long time and never knew the subject of the event. */
export type RailEventState = (typeof RAIL_EVENT_STATES)[number];

export interface NewRailEvent extends RailKey {
  readonly id: string;
  /** The hash of the body's bytes. */
  readonly digest: string;
  readonly body: string;
  /** The rail's own name for the type. */
  readonly type: string;
  readonly topic: 'credit' | 'payout' | 'other';
  readonly about: string | null;
  readonly isPaid: boolean | null;
  readonly receivedAtMs: number;
  readonly state: 'open' | 'ignored';
  readonly dueAtMs: number | null;
}

export interface RailEvent {
  readonly id: string;
  readonly mode: Mode;
  readonly rail: string;
  readonly type: string;
  readonly topic: 'credit' | 'payout';
  readonly about: string;
  readonly isPaid: boolean | null;
  /** The number of leases. */
  readonly tries: number;
  /** How often the rail responded that it does not know the subject or has not settled it. */
  readonly looks: number;
  readonly version: number;
}

export interface RailEventFigures {
  readonly open: number;
  readonly inReview: number;
  /** The arrival time of the oldest event in review; null if there is none. */
  readonly reviewSinceMs: number | null;
  /** The arrival time of the newest event; null if none is stored. */
  readonly newestAtMs: number | null;
}

export interface RailEventQueue {
  /** When the promise resolves, the event is stored durably. `known`: the same bytes arrived before. */
  store(event: NewRailEvent): Promise<'stored' | 'known'>;
  /** Due events of one rail, oldest first, leased to the caller. */
  lease(of: RailKey, request: LeaseRequest): Promise<readonly RailEvent[]>;
  /** Stores the outcome; if another process has leased the event, returns false and writes nothing. */
  move(
    event: Pick<RailEvent, 'id' | 'version'>,
    next: {
      readonly state: RailEventState;
      readonly outcome: string;
      readonly looks: number;
      readonly dueAtMs: number | null;
    },
  ): Promise<boolean>;
  /**
   * Makes the next query for this payout due now. A payout that has ended is queried only if the event reports another outcome.
   * False if this rail has no such payout, or no query is needed.
   */
  hastenPayout(of: RailKey, reference: string, isPaid: boolean, atMs: number): Promise<boolean>;
  /** Deletes at most `limit` finished events that were received before these times. Returns their number. */
  forget(before: { readonly overMs: number; readonly reviewMs: number }, limit: number): Promise<number>;
  figures(of: RailKey): Promise<RailEventFigures>;
  /** The number of credits of a rail stored since then; 100 means "at least 100". */
  countCredits(of: RailKey, sinceMs: number): Promise<number>;
}

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
