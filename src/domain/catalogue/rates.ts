// A rate is naira per one unit of a currency, held in ten-thousandths (four decimals, bigint). The spread always
// works against the customer, and the rounding is named: the desk sells up, it buys down.

export const CURRENCIES = ['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** otc_buy: what the desk charges for one unit. usdc_ngnc: stablecoin received for USDC worth one unit. */
export const RATE_PRODUCTS = ['otc_buy', 'usdc_ngnc'] as const;
export type RateProduct = (typeof RATE_PRODUCTS)[number];

export interface RateBook {
  readonly product: RateProduct;
  readonly spreadBps: number;
  readonly valuesE4: Readonly<Record<Currency, bigint>>;
  readonly updatedAtMs: number;
  /** After this time the book must not be quoted; null for the sandbox's sample, which does not age. */
  readonly validUntilMs: number | null;
}

const RATE_TEXT = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,4}))?$/;

/** Decimal text with at most four decimals, above zero; undefined otherwise. */
export function parseRate(text: string): bigint | undefined {
  const match = RATE_TEXT.exec(text);
  if (match === null) return undefined;
  const valueE4 = BigInt(match[1]!) * 10_000n + BigInt((match[2] ?? '').padEnd(4, '0'));
  return valueE4 > 0n ? valueE4 : undefined;
}

export const MAX_SPREAD_BPS = 5_000;

/** The value with its spread: a price charged is rounded up, a price paid out is rounded down. */
function quotedE4(product: RateProduct, valueE4: bigint, spreadBps: number): bigint {
  const spread = BigInt(spreadBps);
  if (product === 'otc_buy') return divideRoundingUp(valueE4 * (10_000n + spread), 10_000n);
  return (valueE4 * (10_000n - spread)) / 10_000n;
}

/** The nine quotes of a book as plain JSON numbers. Whether it may still be quoted is the caller's to check. */
export function quoteBook(book: RateBook): Record<Currency, number> {
  const quotes = {} as Record<Currency, number>;
  for (const currency of CURRENCIES) {
    quotes[currency] = Number(quotedE4(book.product, book.valuesE4[currency], book.spreadBps)) / 10_000;
  }
  return quotes;
}

function divideRoundingUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
