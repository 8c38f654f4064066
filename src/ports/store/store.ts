// What the service needs of its database, in its own words: five parts, so that a use-case asks for what it uses.
import type { Mode } from '../../domain/values/mode.ts';
import type { AcceptanceStore } from './acceptance.ts';
import type { CommitStore } from './commit.ts';
import type { LeaseRequest, QueueStore } from './queues.ts';
import type { ReadStore } from './reads.ts';

// Payouts and refunds by bank that have ended, and when their rail is asked about them again. A row is written in the commit that
// ends the attempt, so no ended payout is without one.

/** The time after its end when a payout is first asked about. */
export const FIRST_LOOK_MS = 10 * 60_000;

export interface EndedPayout {
  readonly movementId: string;
  /** The number of the attempt. */
  readonly no: number;
  readonly mode: Mode;
  readonly rail: string;
  readonly reference: string;
  /** Its end: paid, or refused for good. */
  readonly paid: boolean;
  readonly endedAtMs: number;
  /** The number of questions since its end. */
  readonly looks: number;
  /** The last certain answer of the rail; null: none yet. */
  readonly said: 'paid' | 'failed' | 'returned' | null;
  readonly version: number;
}

export interface EndedPayoutStore {
  /** The oldest due first, leased to the caller: the version it answers is the fence. */
  leaseEndedPayouts(request: LeaseRequest): Promise<readonly EndedPayout[]>;
  /** The next question and when; null: it is not asked about any more. One that another leased meanwhile is left alone. */
  moveEndedPayout(
    payout: EndedPayout,
    next: (Pick<EndedPayout, 'looks' | 'said'> & { readonly dueAtMs: number }) | null,
  ): Promise<void>;
}

export interface Store extends AcceptanceStore, CommitStore, QueueStore, ReadStore, EndedPayoutStore {}

// The one failure every use of the database can meet.

/** The database did not answer, or its answer was lost. Nothing may be assumed about what it did. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** Whether something may have been sent; false only when it is certain that nothing was. */
  readonly mayHaveActed: boolean;

  constructor(message: string, options: { cause?: unknown; mayHaveActed: boolean }) {
    super(message, { cause: options.cause });
    this.mayHaveActed = options.mayHaveActed;
  }
}
