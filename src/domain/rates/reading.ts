// What sources report, and what a product expects of them.
import type { Currency, RateProduct } from './rates.ts';

/** One number of one source: naira per unit, in ten-thousandths, and the moment it holds for. */
export interface ReportedRate {
  readonly currency: Currency;
  readonly valueE4: bigint;
  readonly asOfMs: number;
}

/** The operator's own prices are a source like the others. Its name is reserved. */
export const DESK = 'desk';

/** The last report of one source, as the book reads it. */
export interface SourceReading {
  readonly source: string;
  /** A number that is older than this is not used. Null: of the desk, whose prices carry their own end. */
  readonly ageLimitMs: number | null;
  readonly rates: readonly SourceRate[];
}

export interface SourceRate extends ReportedRate {
  /** The end that a person gave a desk price; null: the age limit of the source decides, or, for a sample, there is no end. */
  readonly validUntilMs: number | null;
  /** A desk price that is used alone while it is valid. */
  readonly override: boolean;
  /** A desk price that two people stand behind: it counts as two sources. */
  readonly confirmed: boolean;
}

/** The sources that price a product, and the minimum number of live ones. */
export interface ProductPlan {
  readonly product: RateProduct;
  readonly sources: readonly string[];
  readonly minimum: number;
  /** Sources that say only what a unit is worth in dollars: for products whose own sources list the dollar alone. */
  readonly crosses?: readonly string[];
}
