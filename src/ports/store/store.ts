// What the service needs from its database, in five parts. A use case depends only on the parts that it uses.
import type { Mode } from '../../domain/values/mode.ts';
import type { AcceptanceStore } from './acceptance.ts';
import type { CommitStore } from './commit.ts';
import type { LeaseRequest, QueueStore } from './queues.ts';
import type { ReadStore } from './reads.ts';

// The payouts and bank refunds that have ended, and when the service queries the rail about them again. The commit that ends
// the attempt also writes this row, so every ended payout has a row.

/** The time between the end of a payout and the first query after that end. */
export const FIRST_LOOK_MS = 10 * 60_000;

export interface EndedPayout {
  readonly movementId: string;
  /** The number of the attempt. */
  readonly no: number;
  readonly mode: Mode;
  readonly rail: string;
  readonly reference: string;
  /** True if the payout ended as paid; false if it was finally refused. */
  readonly paid: boolean;
  readonly endedAtMs: number;
  /** The number of queries since the end of the payout. */
  readonly looks: number;
  /** The last certain response of the rail; null if the rail has given no such response yet. */
  readonly said: 'paid' | 'failed' | 'returned' | null;
  readonly version: number;
}

export interface EndedPayoutStore {
  /** Leases due payouts to the caller, oldest first. The returned version is the fencing token. */
  leaseEndedPayouts(request: LeaseRequest): Promise<readonly EndedPayout[]>;
  /**
   * Stores the next query and its time. Null means that the service no longer queries the payout. If another process has leased
   * the payout in the meantime, nothing changes.
   */
  moveEndedPayout(
    payout: EndedPayout,
    next: (Pick<EndedPayout, 'looks' | 'said'> & { readonly dueAtMs: number }) | null,
  ): Promise<void>;
}

export interface Store extends AcceptanceStore, CommitStore, QueueStore, ReadStore, EndedPayoutStore {}

// This failure can happen in every use of the database.

/** The database did not respond, or its response was lost. The caller must assume nothing about what the database did. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** Whether a statement may have been sent. False only if it is certain that no statement was sent. */
  readonly mayHaveActed: boolean;

  constructor(message: string, options: { cause?: unknown; mayHaveActed: boolean }) {
    super(message, { cause: options.cause });
    this.mayHaveActed = options.mayHaveActed;
  }
}
