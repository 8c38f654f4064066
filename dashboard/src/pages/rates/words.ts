// The texts about rates: the meaning of each product, the reasons for missing rates and rejected numbers, and the deviation of
// a price. Rates are texts with four decimals. They are compared as whole ten-thousandths.
import type {
  GetRateHistoryAnswer,
  GetRateHistoryQuery,
  RateBook,
  SetRatesBody,
} from '../../api/console-types.ts';
import { digits, type Tone } from '../../components/format.ts';

export type Currency = keyof SetRatesBody['prices'];
export const CURRENCIES: readonly Currency[] = [
  ...(['USD', 'GBP', 'EUR', 'TRY', 'CNY', 'CHF', 'CAD', 'AED', 'KES'] as const),
];

export type Product = RateBook['product'];
export const PRODUCTS: readonly Product[] = ['otc_buy', 'usdc_ngnc'];

interface ProductWords {
  readonly title: string;
  readonly means: string;
  readonly spread: string;
}

const PRODUCT_WORDS: Readonly<Record<Product, ProductWords>> = {
  otc_buy: {
    title: 'OTC buy',
    means: 'Naira that you pay the desk for one unit of a currency.',
    spread: 'Naira that the desk charges per unit; the spread is added.',
  },
  usdc_ngnc: {
    title: 'USDC to NGNC',
    means: 'NGNC that you receive for USDC worth one unit of a currency. One NGNC is one naira.',
    spread: 'NGNC paid for USDC worth one unit; the spread is deducted.',
  },
};

export function wordsOf(product: Product): ProductWords {
  return PRODUCT_WORDS[product];
}

export function unitOf(currency: string): string {
  return `naira per 1 ${currency}`;
}

const RATE_DECIMALS = 4;

export function rateText(rate: string): string {
  return `₦${digits(rate, RATE_DECIMALS)}`;
}

const MISSING: Readonly<Record<string, string>> = {
  no_source: 'no source reports it',
  too_few_sources: 'too few sources have a usable rate',
  jump_unconfirmed: 'it moved by more than 5 % and no second source confirms it',
  never_decided: 'no rate has been set',
  expired: 'the rate has expired',
  no_spread: 'no spread is set for it',
};

export function whyMissing(code: string): string {
  return MISSING[code] ?? code.replaceAll('_', ' ');
}

export function missingSentence(
  missing: readonly { readonly currency: string; readonly why: string }[],
): string {
  const byReason = Map.groupBy(missing, ({ why }) => why);
  return [...byReason]
    .map(([why, of]) => {
      const all = of.length === CURRENCIES.length;
      return `${all ? 'All currencies' : of.map(({ currency }) => currency).join(', ')}: ${whyMissing(why)}.`;
    })
    .join(' ');
}

interface VerdictWords {
  readonly label: string;
  readonly tone: Tone;
}

const VERDICTS: Readonly<Record<string, VerdictWords>> = {
  used: { label: 'Used', tone: 'completed' },
  stale: { label: 'Too old', tone: 'waiting' },
  from_the_future: { label: 'Future timestamp', tone: 'failed' },
  out_of_bounds: { label: 'Out of bounds', tone: 'failed' },
  outlier: { label: 'Outlier', tone: 'failed' },
  jump: { label: 'Unconfirmed jump', tone: 'person' },
  overridden: { label: 'Overridden', tone: 'waiting' },
};

export function verdictOf(verdict: string): VerdictWords {
  return VERDICTS[verdict] ?? { label: verdict.replaceAll('_', ' '), tone: 'waiting' };
}

const RATE = /^(\d{1,12})(?:\.(\d{1,4}))?$/;

/** Undefined means that the text is not a rate above zero. */
export function rateE4(text: string): bigint | undefined {
  const [, whole, fraction = ''] = RATE.exec(text.replaceAll(',', '').trim()) ?? [];
  if (whole === undefined) return undefined;
  const value = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
  return value > 0n ? value : undefined;
}

/** The deviation of one rate from another rate in basis points, rounded away from zero. So 5.001 % counts as more than 5 %. */
export function deviationBps(given: bigint, from: bigint): number {
  const difference = (given - from) * 10_000n;
  const size = difference < 0n ? -difference : difference;
  const bps = (size + from - 1n) / from;
  return Number(difference < 0n ? -bps : bps);
}

/** Returns text such as "+10.2 %", "−0.5 %" or "0 %". */
export function percent(bps: number): string {
  const size = Math.abs(bps) / 100;
  const text = size.toLocaleString('en-GB', { maximumFractionDigits: 2 });
  return `${bps === 0 ? '' : bps < 0 ? '−' : '+'}${text} %`;
}

export function spreadText(bps: number): string {
  return `${(bps / 100).toLocaleString('en-GB', { maximumFractionDigits: 2 })} %`;
}

export type History = GetRateHistoryAnswer;
export type RateQuery = GetRateHistoryQuery;
export type Interval = History['interval'];

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The period of the chart for each interval. A query returns at most 1,500 points. */
export const RANGES: Readonly<
  Record<Interval, { readonly label: string; readonly stepMs: number; readonly lengthMs: number }>
> = {
  '1m': { label: '24 hours', stepMs: MINUTE_MS, lengthMs: DAY_MS },
  '1h': { label: '30 days', stepMs: HOUR_MS, lengthMs: 30 * DAY_MS },
  '1d': { label: '1 year', stepMs: DAY_MS, lengthMs: 365 * DAY_MS },
};

export function intervalStart(atMs: number, interval: Interval): number {
  const { stepMs } = RANGES[interval];
  return Math.floor(atMs / stepMs) * stepMs;
}
