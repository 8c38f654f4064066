// The price of a quote. Amounts are integers; the naira amount is rounded up to the kobo, never down: the service must not sell
// a currency for less than its rate.
import type { Quote } from './quote.ts';

/** One naira for one naira, in ten-thousandths. */
export const NAIRA_RATE_E4 = 10_000n;

/**
 * What an amount of a currency costs in kobo. The amount is in hundredths of a unit and the rate in ten-thousandths of a
 * naira, so their product is in ten-thousandths of a kobo.
 */
export function nairaFor(amountMinor: bigint, rateE4: bigint): bigint {
  return (amountMinor * rateE4 + 9_999n) / 10_000n;
}

/** What is left of the naira amount after the fee. */
export function netOf({ nairaMinor, feeMinor }: Pick<Quote, 'nairaMinor' | 'feeMinor'>): bigint {
  return nairaMinor - feeMinor;
}

export type QuoteState = 'open' | 'used' | 'expired';
export const QUOTE_STATES: readonly QuoteState[] = ['open', 'used', 'expired'];

/** Whether it has expired is for the database's clock to say. */
export function quoteStateOf({ transactionId }: Pick<Quote, 'transactionId'>, expired: boolean): QuoteState {
  if (transactionId !== null) return 'used';
  return expired ? 'expired' : 'open';
}
