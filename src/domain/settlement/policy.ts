// What an operator decides for all transactions of a mode: how long to wait, and what happens to money that differs from the
// request.
import type { Mode } from '../values/mode.ts';

export interface Policy {
  /** The maximum time between a credit and a claim. It also applies after the claim has expired. */
  readonly matchWindowMs: number;
  /** The time to wait for the exact credit before a different amount is accepted. */
  readonly matchGraceMs: number;
  /** The time to wait for the credit that a report of another source describes. */
  readonly reportGraceMs: number;
  readonly partialCredit: 'hold' | 'refund';
  readonly overCredit: 'refund_excess' | 'hold';
  readonly lateCredit: 'complete' | 'refund';
  /** The time to wait for the rest of the tokens after a short deposit. */
  readonly depositGraceMs: number;
  readonly shortDeposit: 'hold' | 'refund';
  readonly lateDeposit: 'refund' | 'complete' | 'hold';
  /** Whether a business is frozen after a bank reversed a credit whose tokens were already sent. */
  readonly freezeOnReversal: boolean;
}

export type Policies = Readonly<Record<Mode, Policy>>;
