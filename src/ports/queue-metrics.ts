// How much work waits, and for how long, so that an operator notices stuck work.
import type { TransactionType } from '../domain/records/states.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface QueueDepth {
  /** `bank_credits`, `deposits`, `movements`, `bank_notices`, or `transactions:STATE`. */
  readonly queue: string;
  /** The number of records that are due and not leased; the value MAX_DUE means "at least that many". */
  readonly due: number;
  /** The due time of the oldest record; null if there is none. */
  readonly oldestDueMs: number | null;
}

/** How long work has been in its state. Unlike a due time, this time does not change with every attempt. */
export interface StuckWork {
  readonly what: 'transactions' | 'movements' | 'deposits';
  readonly state: string;
  /** Null: there is none. */
  readonly oldestMs: number | null;
}

/** Counting stops here: a larger number would not change anything for the reader. */
export const MAX_DUE = 10_000;

type CountByMode = Readonly<Record<Mode, number>>;

/** The records that wait for a person. */
export interface ReviewBacklog {
  readonly onHold: readonly { readonly mode: Mode; readonly type: TransactionType; readonly count: number }[];
  readonly reviewCredits: CountByMode;
  readonly suspenseDeposits: CountByMode;
  /** Refunds that failed finally, or that have no destination. */
  readonly stuckRefunds: CountByMode;
  readonly reviewNotices: CountByMode;
  readonly openCases: CountByMode;
  /** All lines that were ever quarantined, because they are never deleted; the value MAX_DUE means "at least that many". */
  readonly quarantined: CountByMode;
  /** Deposits that wait for a second provider, because a single provider has already confirmed the hourly maximum. */
  readonly depositsNeedTwo: CountByMode;
}

export interface QueueMetrics {
  readQueues(atMs: number): Promise<readonly QueueDepth[]>;
  readStuck(): Promise<readonly StuckWork[]>;
  readWaiting(): Promise<ReviewBacklog>;
}
