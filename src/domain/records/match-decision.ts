// The stored decision of matching about a bank credit: the verdict, and the claims that were compared.

/** The reasons why a reviewer must check a claim although it fits the payer. */
export type Contradiction = 'suspicious_name' | 'name_mismatch' | 'payer_unclear';

export type MatchException =
  | 'no_claim'
  | 'ambiguous'
  | 'paid_partial'
  | 'paid_over'
  | 'paid_late'
  | 'name_mismatch'
  | 'payer_unclear'
  | 'suspicious_name'
  | 'other_account';

export type MatchVerdict =
  | { readonly kind: 'matched'; readonly transactionId: string; readonly exception: null | 'paid_late' }
  /** The credit has exactly the missing amount, so it pays the claim together with the earlier partial payments. */
  | {
      readonly kind: 'completes';
      readonly transactionId: string;
      readonly exception: null | 'paid_late';
      /** The ids of those earlier partial payments that are not matched yet. */
      readonly with: readonly string[];
    }
  /** The claim gets a credit with another amount, because the exact credit did not arrive in time. */
  | {
      readonly kind: 'attached';
      readonly transactionId: string;
      readonly exception: 'paid_over' | 'paid_partial';
      readonly late: boolean;
      /** The ids of earlier partial payments that count together with the credit. Absent: there are none. */
      readonly with?: readonly string[];
    }
  | { readonly kind: 'held'; readonly transactionId: string; readonly exception: Contradiction }
  | {
      readonly kind: 'review';
      readonly exception: MatchException;
      readonly transactionIds: readonly string[];
    }
  | { readonly kind: 'wait'; readonly untilMs: number };

export interface MatchDecision {
  readonly ruleVersion: number;
  /** The candidates, with the best one first. */
  readonly candidates: readonly {
    readonly transactionId: string;
    readonly score: number;
    readonly reasons: readonly string[];
  }[];
  readonly verdict: MatchVerdict;
}
