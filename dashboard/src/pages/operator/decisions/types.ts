// What the session API says about records that wait for people, as the operator's pages use it.

export interface Posting {
  readonly account: string;
  readonly name: string;
  readonly meaning: string;
  readonly side: 'debit' | 'credit';
  readonly amount: string | null;
  readonly asset: string;
  readonly network: string | null;
}

export interface Preview {
  readonly what: string;
  readonly amount: string;
  readonly effects: readonly { readonly text: string; readonly record_id: string | null }[];
  readonly entries: readonly {
    readonly event: string;
    readonly record_id: string;
    readonly postings: readonly Posting[];
  }[];
}

export interface Proposal {
  readonly id: string;
  readonly kind: 'review' | 'setting';
  readonly mode: 'test' | 'live';
  readonly what: string;
  /** Why it takes two people, where one can be enough. */
  readonly why?: string | null;
  /** Of a review. */
  readonly amount?: string | number;
  readonly subject_id?: string;
  readonly proposed_by: string;
  readonly proposed_by_name: string;
  readonly proposed_at: string;
  readonly obstacle: string | null;
  readonly state?: string;
  readonly decided_by_name?: string | null;
  readonly decision?: { readonly reason: string; readonly at: string } | null;
  readonly preview?: Preview | null;
}

/** A record of any kind: which fields it has depends on its kind. */
export interface Subject {
  readonly kind: 'credit' | 'transaction' | 'deposit' | 'movement' | 'notice' | 'case';
  readonly id: string;
  readonly mode: 'test' | 'live';
  readonly state: string;
  readonly exception: string | null;
  readonly why: string | null;
  readonly amount: string | null;
  readonly since: string;
  readonly [field: string]: unknown;
}

export interface Candidate {
  readonly transaction: Subject;
  readonly score: number | null;
  readonly reasons: readonly {
    readonly code: string;
    readonly text: string;
    readonly speaks: 'for' | 'weak' | 'against';
  }[];
  readonly obstacle: string | null;
  readonly fields: readonly {
    readonly field: string;
    readonly label: string;
    readonly credit: string | null;
    readonly claim: string | null;
    readonly agrees: boolean | null;
  }[];
}

export type ActionName =
  | 'match'
  | 'split'
  | 'refund'
  | 'write_off'
  | 'own_funds'
  | 'release'
  | 'loss'
  | 'dismiss'
  | 'pay_again'
  | 'paid'
  | 'unpaid'
  | 'recovered'
  | 'accepted'
  | 'counted'
  | 'explained'
  | 'reject';

export interface PossibleAction {
  readonly action: ActionName;
  readonly needs: 'transaction' | 'parts' | 'account' | 'address' | 'own_account' | null;
  readonly may_name: 'account' | null;
  readonly says_publicly: boolean;
  readonly people: 1 | 2;
  /** What it posts now, in naira; null: that shows with its preview. */
  readonly amount: string | null;
  readonly obstacle: string | null;
}

export interface TimelineLine {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
  readonly reason: string;
}

export interface Review {
  readonly subject: Subject;
  readonly candidates: readonly Candidate[];
  readonly actions: readonly PossibleAction[];
  readonly proposals: readonly Proposal[];
  readonly credits: readonly Subject[];
  readonly deposits: readonly Subject[];
  readonly movements: readonly Subject[];
  readonly timeline: readonly TimelineLine[];
  readonly public_reasons: readonly string[];
}
