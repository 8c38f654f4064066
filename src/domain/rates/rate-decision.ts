// A decision about the rates of one product. It has the value of each currency, or the reason why there is none, and all
// candidates. The whole decision is stored, so that any rate and any quote can be explained later.
import type { Currency, RateProduct } from './rates.ts';

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
  /** The source does not list this currency. Its number is its dollar rate times the ratio of the other sources. */
  readonly crossed: boolean;
  readonly verdict: NumberVerdict;
  /** One sentence for people that says what was compared, and with what. */
  readonly why: string;
}

export type RateGap = 'no_source' | 'too_few_sources' | 'jump_unconfirmed';

export interface ValueDecision {
  readonly currency: Currency;
  /** The value before the spread. Null: there is no value, and `gap` gives the reason. */
  readonly valueE4: bigint | null;
  /** The time when the value expires. Null: the value is a sample of test mode, which does not expire. */
  readonly validUntilMs: number | null;
  readonly gap: RateGap | null;
  readonly candidates: readonly RateCandidate[];
  /**
   * The value with which the next decision compares: this value or, without one, the last accepted value. Null: no value was
   * ever accepted.
   */
  readonly accepted: AcceptedValue | null;
}

/**
 * A value together with the dollar's value in the same decision. The two values show which part of a move comes from the naira
 * and which part from the currency.
 */
export interface ValueWithDollar {
  readonly valueE4: bigint;
  /** The dollar rate; null: the currency is the dollar, or the dollar had no value. */
  readonly dollarE4: bigint | null;
  readonly atMs: number;
}

export interface AcceptedValue extends ValueWithDollar {
  /** The base from which the steps of a single source are counted. Small steps therefore cannot add up to a large one. */
  readonly anchor: ValueWithDollar;
  /**
   * Present if the value comes only from the desk: the last value that had another source. When the desk price expires, a
   * source may move the price from that last value. In decisions of earlier versions it has no anchor.
   */
  readonly beforeDesk?: (ValueWithDollar & { readonly anchor?: ValueWithDollar }) | null;
}

export type LastAcceptedValues = Readonly<Partial<Record<Currency, AcceptedValue>>>;

/**
 * The last accepted value of each currency, whatever its age. Each decision keeps the accepted values of the previous decision.
 */
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
