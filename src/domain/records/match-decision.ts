// What matching decided about a bank credit, as it is stored: the verdict, and the claims it was decided between.

/** The reasons why a reviewer must check a claim although the payer points at it. */
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
  /** The payer's name is on a claim, and its account number is another one. */
  | 'other_account';

export type MatchVerdict =
  | { readonly kind: 'matched'; readonly transactionId: string; readonly exception: null | 'paid_late' }
  /** It is exactly what was missing: it pays the claim together with the parts that came before. */
  | {
      readonly kind: 'completes';
      readonly transactionId: string;
      readonly exception: null | 'paid_late';
      /** The credits of those parts that no claim has been given yet. */
      readonly with: readonly string[];
    }
  /** The amount differs, and the exact one did not come in time. */
  | {
      readonly kind: 'attached';
      readonly transactionId: string;
      readonly exception: 'paid_over' | 'paid_partial';
      readonly late: boolean;
      /** The earlier parts, as above. Absent: there is none. */
      readonly with?: readonly string[];
    }
  /** One claim is meant, and a person must look at it first. */
  | { readonly kind: 'held'; readonly transactionId: string; readonly exception: Contradiction }
  /** No claim may have it yet; these are the ones to look at. */
  | {
      readonly kind: 'review';
      readonly exception: MatchException;
      readonly transactionIds: readonly string[];
    }
  | { readonly kind: 'wait'; readonly untilMs: number };

export interface MatchDecision {
  readonly ruleVersion: number;
  /** Best first. */
  readonly candidates: readonly {
    readonly transactionId: string;
    readonly score: number;
    readonly reasons: readonly string[];
  }[];
  readonly verdict: MatchVerdict;
}
