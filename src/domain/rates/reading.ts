// The reports of sources, and the reports that a product needs.
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
