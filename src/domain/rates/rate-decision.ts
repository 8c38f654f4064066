// A decision about the rates of one product: the value of each currency, or why there is none, with everything that was
// looked at. It is stored as it is, so that any rate and any quote can be explained later.
import type { Currency, RateProduct } from './rates.ts';

/** The verdict on a number of a source. */
export type NumberVerdict =
  | 'used'
  | 'stale'
  | 'from_the_future'
  | 'out_of_bounds'
  | 'outlier'
  | 'jump'
  | 'overridden';

export interface RateCandidate {
  readonly source: string;
  readonly valueE4: bigint;
  readonly asOfMs: number;
  /** The source does not list this currency: its dollar rate was crossed with the others' dollar cross rate. */
  readonly crossed: boolean;
  readonly verdict: NumberVerdict;
  /** One sentence for people: what was measured, and against what. */
  readonly why: string;
}

/** The reasons why a currency has no value. */
export type RateGap = 'no_source' | 'too_few_sources' | 'jump_unconfirmed';

export interface ValueDecision {
  readonly currency: Currency;
  /** The value before the spread; null: there is none, and `gap` says why. */
  readonly valueE4: bigint | null;
  /** The value must not be used from this moment on; null: a sample of test mode, which has no end. */
  readonly validUntilMs: number | null;
  readonly gap: RateGap | null;
  readonly candidates: readonly RateCandidate[];
  /** The value for the next decision to compare with: this one, or the last before it. Null: none was ever accepted. */
  readonly accepted: AcceptedValue | null;
}

/** A value, with the dollar's value of the same decision: of the two, how much a move is the naira's and how much the currency's own. */
export interface ValueWithDollar {
  readonly valueE4: bigint;
  /** The dollar rate; null: this is the dollar, or it had no value. */
  readonly dollarE4: bigint | null;
  readonly atMs: number;
}

export interface AcceptedValue extends ValueWithDollar {
  /** The base from which the steps of a lone source are counted, so that small steps do not add up to a large one. */
  readonly anchor: ValueWithDollar;
  /**
   * There when the value is the desk's alone: the last one that was not. When the desk's has ended, a source may go where it could
   * have gone from there. Decisions of earlier versions have no anchor in it.
   */
  readonly beforeDesk?: (ValueWithDollar & { readonly anchor?: ValueWithDollar }) | null;
}

export type LastAcceptedValues = Readonly<Partial<Record<Currency, AcceptedValue>>>;

/** The last accepted value of each currency, however old: each decision hands on those of the one before. */
export function findLastAccepted(last: RateDecision | null): LastAcceptedValues {
  const found: Partial<Record<Currency, AcceptedValue>> = {};
  for (const { currency, accepted } of last?.values ?? []) {
    if (accepted !== null) found[currency] = accepted;
  }
  return found;
}

export interface RateDecision {
  readonly product: RateProduct;
  readonly atMs: number;
  readonly values: readonly ValueDecision[];
}
