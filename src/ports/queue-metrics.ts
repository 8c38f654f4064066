// How much work waits, and for how long: what tells an operator that something is stuck.
import type { Mode } from '../domain/mode.ts';
import type { TransactionType } from '../domain/states.ts';

export interface QueueDepth {
  /** `bank_credits`, `deposits`, `movements`, `bank_notices`, or `transactions:STATE`. */
  readonly queue: string;
  /** Records whose time has come and that nobody has taken; MAX_DUE means that many or more. */
  readonly due: number;
  /** Since when the oldest of them waits; null when there is none. */
  readonly oldestDueMs: number | null;
}

/** Counting stops here: what matters is that it is many. */
export const MAX_DUE = 10_000;

/** What waits for a person. */
export interface Waiting {
  readonly onHold: readonly { readonly mode: Mode; readonly type: TransactionType; readonly count: number }[];
  readonly reviewCredits: Readonly<Record<Mode, number>>;
  readonly openCases: Readonly<Record<Mode, number>>;
}

export interface QueueMetrics {
  readQueues(atMs: number): Promise<readonly QueueDepth[]>;
  readWaiting(): Promise<Waiting>;
}
