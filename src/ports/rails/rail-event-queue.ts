// Events of rails as they are stored: first of all, and worked on afterwards under a lease. The same bytes of the same rail are one
// row, however often they come.
import type { Mode } from '../../domain/values/mode.ts';
import type { LeaseRequest } from '../store/queues.ts';
import type { RailKey } from './rail-store.ts';

export const RAIL_EVENT_STATES = ['open', 'done', 'ignored', 'review'] as const;
/** `review`: the rail was asked for a long time and never had it. */
export type RailEventState = (typeof RAIL_EVENT_STATES)[number];

export interface NewRailEvent extends RailKey {
  readonly id: string;
  /** The digest of the body's bytes. */
  readonly digest: string;
  readonly body: string;
  /** The rail's own word for it. */
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
  /** The number of answers that the rail does not have it or has not settled it. */
  readonly looks: number;
  readonly version: number;
}

export interface RailEventFigures {
  readonly open: number;
  readonly inReview: number;
  /** The arrival of the oldest event in review; null: there is none. */
  readonly reviewSinceMs: number | null;
  /** The arrival of the last event; null: none is stored. */
  readonly newestAtMs: number | null;
}

export interface RailEventQueue {
  /** Durable when it resolves. `known`: the same bytes came before. */
  store(event: NewRailEvent): Promise<'stored' | 'known'>;
  /** Due events of one rail, the oldest first, leased to the caller. */
  lease(of: RailKey, request: LeaseRequest): Promise<readonly RailEvent[]>;
  /** Stores the outcome; false: another process has leased it, and nothing is written. */
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
   * The rail is asked about this payout now, and not later. One that has ended is asked about only where the event says that it
   * ended in another way. False: this rail has no such payout, or nothing is to be asked.
   */
  hastenPayout(of: RailKey, reference: string, isPaid: boolean, atMs: number): Promise<boolean>;
  /** Forgets what is over and was received before. Answers how many, at most `limit`. */
  forget(before: { readonly overMs: number; readonly reviewMs: number }, limit: number): Promise<number>;
  figures(of: RailKey): Promise<RailEventFigures>;
  /** Credits of a rail that were stored since then; a hundred stands for more. */
  countCredits(of: RailKey, sinceMs: number): Promise<number>;
}
