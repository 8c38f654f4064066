// The reports of sources, the reports that a product needs, and how long a source that fails is not read.
import type { Currency, RateProduct } from './rates.ts';

/** One number of one source: naira per unit in ten-thousandths, with the time that the number applies to. */
export interface ReportedRate {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly asOfMs: number;
}

/** The reserved name of the source with the operator's own prices. The operator's prices are a source like the others. */
export const DESK = 'desk';

export interface SourceReading {
  readonly source: string;
  /** The maximum age of a number that is used. Null: the source is the desk, whose prices have their own expiry. */
  readonly ageLimitMs: number | null;
  readonly rates: readonly SourceRate[];
}

export interface SourceRate extends ReportedRate {
  /**
   * The expiry that a person set for a desk price. Null: the age limit of the source applies, or the number is a sample, which
   * does not expire.
   */
  readonly validUntilMs: number | null;
  /** While this desk price is valid, it is the only price that is used. */
  readonly override: boolean;
  /** Two people confirmed this desk price, so it counts as two sources. */
  readonly confirmed: boolean;
}

export interface ProductPlan {
  readonly product: RateProduct;
  readonly sources: readonly string[];
  readonly minimum: number;
  /**
   * Sources that are used only for the ratio of a currency to the dollar. They serve products whose own sources list only the
   * dollar.
   */
  readonly crosses?: readonly string[];
}

// The circuit of a source: after three failures in a row the source is not read for a minute. Then one attempt decides whether
// the circuit closes. Each failed attempt doubles the pause, up to half an hour.

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 30 * 60_000;

/** `failures`: the number of consecutive failures, including the last one. Null: the circuit stays closed. */
export function circuitOpenForMs(failures: number): number | null {
  if (failures < FAILURES_TO_OPEN) return null;
  // The limit on the exponent prevents an overflow. It has no other effect, because the pause has reached its maximum before.
  const doublings = Math.min(failures - FAILURES_TO_OPEN, 10);
  return Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** doublings);
}
