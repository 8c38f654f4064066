// A rail that asks before it pays. Only its adapter knows how the question is signed and written; who may be paid is decided in
// app/rails/validate-payout.ts.
import type { AskedPayout } from '../../domain/rails/asked-payout.ts';

/** One call to us, as it came. */
export interface RailQuestion {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the caller. */
  readonly address: string;
  /** The last part of the path; null: it has none. */
  readonly pathKey: string | null;
}

export type ReadQuestion =
  /** Not proven to come from the rail. */
  | { readonly kind: 'forged' }
  /** Proven, and not in the form that we know. `why` ends the sentence "The question …". */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Proven, and about an account that this rail does not pay from. */
  | { readonly kind: 'other_account' }
  /** One order, or those of one batch: they are approved together or not at all. */
  | { readonly kind: 'asked'; readonly orders: readonly AskedPayout[] };

export interface PayoutValidation {
  /** It is asked at POST /rails/{place}/validation. */
  readonly place: string;
  read(question: RailQuestion): ReadQuestion;
  /** The body of the answer. */
  answer(approved: boolean): unknown;
}
