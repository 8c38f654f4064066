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
  /** A claim has the payer's name, but a different account number. */
  | 'other_account';

export type MatchVerdict =
  | { readonly kind: 'matched'; readonly transactionId: string; readonly exception: null | 'paid_late' }
  /** The credit has exactly the missing amount, so it pays the claim together with the earlier partial payments. */
  | {
      readonly kind: 'completes';
      readonly transactionId: string;
      readonly exception: null | 'paid_late';
      /** The credits of those partial payments that are not matched yet. */
      readonly with: readonly string[];
    }
  /** The amount differs, and the exact credit did not arrive in time. */
  | {
      readonly kind: 'attached';
      readonly transactionId: string;
      readonly exception: 'paid_over' | 'paid_partial';
      readonly late: boolean;
      /** The earlier partial payments, as above. Absent: there are none. */
      readonly with?: readonly string[];
    }
  /** One claim fits, but a person must check it first. */
  | { readonly kind: 'held'; readonly transactionId: string; readonly exception: Contradiction }
  /** No claim is chosen yet; a person must check these claims. */
  | {
      readonly kind: 'review';
      readonly exception: MatchException;
      readonly transactionIds: readonly string[];
    }
  | { readonly kind: 'wait'; readonly untilMs: number };

export interface MatchDecision {
  readonly ruleVersion: number;
  /** The best candidate first. */
  readonly candidates: readonly {
    readonly transactionId: string;
    readonly score: number;
    readonly reasons: readonly string[];
  }[];
  readonly verdict: MatchVerdict;
}
