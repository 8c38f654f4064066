// A rate is naira per unit of a currency, stored in ten-thousandths (four decimals, bigint). The spread and the rounding are
// always in favour of the desk: a selling price is rounded up, and a buying price is rounded down.

export const CURRENCIES = ['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'] as const;
export type Currency = (typeof CURRENCIES)[number];

/**
 * `otc_buy`: the price that the desk charges for one unit. `usdc_ngnc`: the amount of the stablecoin that a customer receives
 * for USDC worth one unit.
 */
export const RATE_PRODUCTS = ['otc_buy', 'usdc_ngnc'] as const;
export type RateProduct = (typeof RATE_PRODUCTS)[number];

const RATE_TEXT = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,4}))?$/;

/** Parses a decimal text above zero with at most four decimals. Undefined: the text has another form. */
export function parseRate(text: string): bigint | undefined {
  const match = RATE_TEXT.exec(text);
  if (match === null) return undefined;
  const valueE4 = BigInt(match[1]!) * 10_000n + BigInt((match[2] ?? '').padEnd(4, '0'));
  return valueE4 > 0n ? valueE4 : undefined;
}

export const MAX_SPREAD_BPS = 5_000;

/** The value with its spread. A price that we charge is rounded up, and a price that we pay is rounded down. */
export function applySpread(product: RateProduct, valueE4: bigint, spreadBps: number): bigint {
  const spread = BigInt(spreadBps);
  if (product === 'otc_buy') return divideRoundingUp(valueE4 * (10_000n + spread), 10_000n);
  return (valueE4 * (10_000n - spread)) / 10_000n;
}

export function rateNumber(rateE4: bigint): number {
  return Number(rateE4) / 10_000;
}

function divideRoundingUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

// The history of rate values without the spread. There is one point per minute, and the points are aggregated to hours and
// days.

export const HISTORY_INTERVALS = ['1m', '1h', '1d'] as const;
export type HistoryInterval = (typeof HISTORY_INTERVALS)[number];

export const INTERVAL_MS: Readonly<Record<HistoryInterval, number>> = {
  '1m': 60_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
};

/** The values of a rate during one interval. Hours and days begin in UTC. */
export interface HistoryPoint {
  readonly atMs: number;
  readonly firstE4: bigint;
  readonly lastE4: bigint;
  readonly lowE4: bigint;
  readonly highE4: bigint;
}

export interface HistoryQuestion {
  readonly product: RateProduct;
  readonly currency: Currency;
  readonly interval: HistoryInterval;
  readonly fromMs: number;
  readonly toMs: number;
}
