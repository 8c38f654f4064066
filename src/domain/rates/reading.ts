// The reports of sources, the reports that a product needs, and how long a source that fails is not read.
import type { Currency, RateProduct } from './rates.ts';

/** One number of one source: naira per unit, in ten-thousandths, and the time it applies to. */
export interface ReportedRate {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly asOfMs: number;
}

/** The operator's own prices are a source like the others. The name of this source is reserved. */
export const DESK = 'desk';

/** The last report of one source, as input for the book. */
export interface SourceReading {
  readonly source: string;
  /** Numbers older than this are not used. Null: the source is the desk, whose prices have their own expiry. */
  readonly ageLimitMs: number | null;
  readonly rates: readonly SourceRate[];
}

export interface SourceRate extends ReportedRate {
  /** The expiry that a person set for a desk price. Null: the age limit of the source applies; a sample does not expire. */
  readonly validUntilMs: number | null;
  /** While this desk price is valid, it is the only price that is used. */
  readonly override: boolean;
  /** A desk price that two people confirmed: it counts as two sources. */
  readonly confirmed: boolean;
}

/** The sources that price a product, and the minimum number of live sources. */
export interface ProductPlan {
  readonly product: RateProduct;
  readonly sources: readonly string[];
  readonly minimum: number;
  /** Sources used only for the ratio of a currency to the dollar, for products whose own sources list only the dollar. */
  readonly crosses?: readonly string[];
}

// The circuit of a source: after three failures in a row the source is not read for a minute. Then one attempt decides whether
// the circuit closes. Each failed attempt doubles the pause, up to half an hour.

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 30 * 60_000;

/** `failures`: the number of consecutive failures, including the last. Null: the circuit stays closed. */
export function circuitOpenForMs(failures: number): number | null {
  if (failures < FAILURES_TO_OPEN) return null;
  // Beyond the longest pause the exponent does not matter; the limit prevents an overflow.
  const doublings = Math.min(failures - FAILURES_TO_OPEN, 10);
  return Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** doublings);
}
