// Reads how much work waits, and how long it has waited, so that an operator notices stuck work.
import type { TransactionType } from '../domain/records/states.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface QueueDepth {
  /** One of `bank_credits`, `deposits`, `movements`, `bank_notices` and `transactions:STATE`. */
  readonly queue: string;
  /** The number of records that are due and not leased. The value MAX_DUE means "at least that many". */
  readonly due: number;
  /** The due time of the oldest record; null if no record is due. */
  readonly oldestDueMs: number | null;
}

/** How long work has been in its state. Unlike a due time, this time does not change with every attempt. */
export interface StuckWork {
  readonly what: 'transactions' | 'movements' | 'deposits';
  readonly state: string;
  /** Null if there is no such work. */
  readonly oldestMs: number | null;
}

/** Counting stops at this number, because a larger number would not change what people do. */
export const MAX_DUE = 10_000;

type CountByMode = Readonly<Record<Mode, number>>;

export interface ReviewBacklog {
  readonly onHold: readonly { readonly mode: Mode; readonly type: TransactionType; readonly count: number }[];
  readonly reviewCredits: CountByMode;
  readonly suspenseDeposits: CountByMode;
  /** The refunds that failed finally, or that have no destination. */
  readonly stuckRefunds: CountByMode;
  readonly reviewNotices: CountByMode;
  readonly openCases: CountByMode;
  /**
   * All lines that were ever quarantined, because such lines are never deleted. The value MAX_DUE means "at least that many".
   */
  readonly quarantined: CountByMode;
  /**
   * The deposits that wait for a second provider. They wait because one provider alone has already confirmed the hourly
   * maximum.
   */
  readonly depositsNeedTwo: CountByMode;
}

export interface QueueMetrics {
  readQueues(atMs: number): Promise<readonly QueueDepth[]>;
  readStuck(): Promise<readonly StuckWork[]>;
  readWaiting(): Promise<ReviewBacklog>;
}
