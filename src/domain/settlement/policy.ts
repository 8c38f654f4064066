// What an operator decides once for all transactions of a mode: how long things are waited for, and what happens to
// money that came differently than announced.
import type { Mode } from '../values/mode.ts';

export interface Policy {
  /** How far a credit and a claim may lie apart, after expiry included. */
  readonly matchWindowMs: number;
  /** How long the exact credit is waited for before a differing one is taken for it. */
  readonly matchGraceMs: number;
  /** How long the credit that a report of another source is about is waited for. */
  readonly reportGraceMs: number;
  readonly partialCredit: 'hold' | 'refund';
  readonly overCredit: 'refund_excess' | 'hold';
  readonly lateCredit: 'complete' | 'refund';
  /** How long the rest of a short deposit is waited for. */
  readonly depositGraceMs: number;
  readonly shortDeposit: 'hold' | 'refund';
  readonly lateDeposit: 'refund' | 'complete' | 'hold';
  /** Whether a business stands still after a bank took back a credit whose tokens had left. */
  readonly freezeOnReversal: boolean;
}

export type Policies = Readonly<Record<Mode, Policy>>;
