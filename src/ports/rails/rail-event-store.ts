// Stored events of rails. They are stored first, and processed later under a lease. The same bytes from the same rail are one row,
// even if they arrive several times. People see the outcome, and decide about events that the service could not verify.
import type { Mode } from '../../domain/values/mode.ts';
import type { AuditStamp } from '../back-office.ts';
import type { LeaseRequest } from '../store/queues.ts';
import type { RailKey } from './rail-store.ts';

export const RAIL_EVENT_STATES = ['open', 'done', 'ignored', 'review'] as const;
/** `review`: the service queried the rail for a long time, and the rail never knew the subject of the event. */
export type RailEventState = (typeof RAIL_EVENT_STATES)[number];

export interface NewRailEvent extends RailKey {
  readonly id: string;
  /** The hash of the bytes of the body. */
  readonly digest: string;
  readonly body: string;
  /** The name that the rail gives to this type of event. */
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
  /** The number of times that a process has leased the event. */
  readonly tries: number;
  /** How often the rail responded that it does not know the subject of the event, or that the subject is not settled. */
  readonly looks: number;
  readonly version: number;
}

export interface RailEventFigures {
  readonly open: number;
  readonly inReview: number;
  /** The arrival time of the oldest event in review; null if no event is in review. */
  readonly reviewSinceMs: number | null;
  /** The arrival time of the newest event; null if no event is stored. */
  readonly newestAtMs: number | null;
}

export interface RailEventQueue {
  /** When the promise resolves, the event is stored durably. `known`: the same bytes arrived before. */
  store(event: NewRailEvent): Promise<'stored' | 'known'>;
  lease(of: RailKey, request: LeaseRequest): Promise<readonly RailEvent[]>;
  /** Stores the outcome of an event. If another process has leased the event, it returns false and writes nothing. */
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
   * Makes the next query for this payout due now. For a payout that has ended, it does so only if the event reports another
   * outcome. The result is false if this rail has no such payout, or if no query is needed.
   */
  hastenPayout(of: RailKey, reference: string, isPaid: boolean, atMs: number): Promise<boolean>;
  /** Deletes at most `limit` finished events that were received before these times, and returns their number. */
  forget(before: { readonly overMs: number; readonly reviewMs: number }, limit: number): Promise<number>;
  figures(of: RailKey): Promise<RailEventFigures>;
  /** Returns the number of credits of a rail that were stored since then; 100 means "at least 100". */
  countCredits(of: RailKey, sinceMs: number): Promise<number>;
}

/** A stored rail event without its body, because the body contains names of people. */
export interface StoredRailEvent extends RailKey {
  readonly id: string;
  /** The name that the rail gives to this type of event. */
  readonly type: string;
  readonly topic: 'credit' | 'payout' | 'other';
  /** The credit or payout about which the service queries the rail. */
  readonly about: string | null;
  readonly state: RailEventState;
  /** The outcome of the event, or the reason why the event still waits. */
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
  /**
   * From this call on, the service queries the rail again as for a new event. The result is false if the event is not in
   * review.
   */
  tryAgain(id: string, doing: AuditStamp): Promise<boolean>;
  /** Closes an event without creating a credit. The result is false if the event is not in review. */
  close(id: string, reason: string, doing: AuditStamp): Promise<boolean>;
}
