// Payouts and refunds by bank as the operator's pages list them, and one of them with every attempt at it.
import type { Waits } from '../../domain/movements/outcome-memory.ts';
import type { Attempt, Movement, MovementState } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { CaseRecord } from './case-record.ts';

export interface PayoutFilter {
  readonly mode: Mode;
  /** Null: in every state. */
  readonly state: MovementState | null;
  /** Null: on every rail, and on none yet. */
  readonly rail: string | null;
  readonly after: string | null;
  readonly limit: number;
}

export interface PayoutRow extends Movement, Waits {
  /** Of the last attempt; null: none was made. */
  readonly rail: string | null;
  readonly reference: string | null;
  readonly businessId: string | null;
  readonly businessName: string | null;
  /** The open case about it. */
  readonly caseId: string | null;
}

export type PayoutAttempt = Pick<
  Attempt,
  'no' | 'rail' | 'reference' | 'state' | 'evidence' | 'atMs' | 'updatedAtMs'
>;

export interface PayoutWithAttempts {
  readonly payout: PayoutRow;
  /** The first one first. */
  readonly attempts: readonly PayoutAttempt[];
  /** Open or closed. */
  readonly cases: readonly CaseRecord[];
}

export interface PayoutList {
  /** The newest first. */
  listPayouts(filter: PayoutFilter): Promise<readonly PayoutRow[]>;
  /** Undefined: there is no payout or refund by bank with this id. */
  findPayout(id: string): Promise<PayoutWithAttempts | undefined>;
}
