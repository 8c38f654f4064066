// What the service needs from its database, in five parts, so that a use case depends only on what it uses.
import type { Mode } from '../../domain/values/mode.ts';
import type { AcceptanceStore } from './acceptance.ts';
import type { CommitStore } from './commit.ts';
import type { LeaseRequest, QueueStore } from './queues.ts';
import type { ReadStore } from './reads.ts';

// Finished payouts and bank refunds, and when their rail is asked about them again. The commit that ends the attempt writes the
// row, so every ended payout has one.

/** The time between the end of a payout and the first query after it. */
export const FIRST_LOOK_MS = 10 * 60_000;

export interface EndedPayout {
  readonly movementId: string;
  /** The number of the attempt. */
  readonly no: number;
  readonly mode: Mode;
  readonly rail: string;
  readonly reference: string;
  /** Whether it ended as paid; otherwise it was finally refused. */
  readonly paid: boolean;
  readonly endedAtMs: number;
  /** The number of queries since its end. */
  readonly looks: number;
  /** The last certain answer of the rail; null: none yet. */
  readonly said: 'paid' | 'failed' | 'returned' | null;
  readonly version: number;
}

export interface EndedPayoutStore {
  /** The oldest due first, leased to the caller: the returned version is the fence. */
  leaseEndedPayouts(request: LeaseRequest): Promise<readonly EndedPayout[]>;
  /**
   * Stores the next query and its time; null: it is not queried any more. A payout that another process has leased
   * meanwhile is not changed.
   */
  moveEndedPayout(
    payout: EndedPayout,
    next: (Pick<EndedPayout, 'looks' | 'said'> & { readonly dueAtMs: number }) | null,
  ): Promise<void>;
}

export interface Store extends AcceptanceStore, CommitStore, QueueStore, ReadStore, EndedPayoutStore {}

// The failure that every use of the database can have.

/** The database did not answer, or its answer was lost. Nothing may be assumed about what it did. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** Whether a statement may have been sent; false only if it is certain that none was. */
  readonly mayHaveActed: boolean;

  constructor(message: string, options: { cause?: unknown; mayHaveActed: boolean }) {
    super(message, { cause: options.cause });
    this.mayHaveActed = options.mayHaveActed;
  }
}
