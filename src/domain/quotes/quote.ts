// Quotes: the record of a quote, its price and its state, and whether a request matches it.
import type { UsedSource } from '../rates/board.ts';
import type { Currency } from '../rates/rates.ts';
import type { TransactionType } from '../records/states.ts';
import type { Mode } from '../values/mode.ts';

/**
 * A quote is a price for one business, one mode and one transaction. It stays valid until it expires, even if rates and
 * fees change.
 */
export interface Quote {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly side: TransactionType;
  /** The requested amount in hundredths of the currency. */
  readonly amountMinor: bigint;
  readonly currency: Currency | 'NGN';
  /** Null: the transaction may use any network. */
  readonly network: string | null;
  /** The naira amount that the transaction must have, in kobo. */
  readonly nairaMinor: bigint;
  readonly feeMinor: bigint;
  /** Naira per unit of the currency, in ten-thousandths. For naira itself it is 10,000. */
  readonly rateE4: bigint;
  /** The list is empty for a quote in naira. */
  readonly sources: readonly UsedSource[];
  /** The stored decision that gave the rate. Null: the quote is in naira. */
  readonly decisionId: string | null;
  /** The creation time by the database's clock. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The transaction that used the quote; null: the quote is unused. */
  readonly transactionId: string | null;
}

// Computes the price of a quote with integers. The naira amount is rounded up to the kobo, because the service must not sell a
// currency below its rate.

export const NAIRA_RATE_E4 = 10_000n;

/**
 * The price in kobo of an amount in a currency. The amount is in hundredths of a unit and the rate in ten-thousandths of a naira,
 * so their product is in ten-thousandths of a kobo.
 */
export function convertToNaira(amountMinor: bigint, rateE4: bigint): bigint {
  return (amountMinor * rateE4 + 9_999n) / 10_000n;
}

export function computeNetAmount({ nairaMinor, feeMinor }: Pick<Quote, 'nairaMinor' | 'feeMinor'>): bigint {
  return nairaMinor - feeMinor;
}

export type QuoteState = 'open' | 'used' | 'expired';
export const QUOTE_STATES: readonly QuoteState[] = ['open', 'used', 'expired'];

/** `expired`: whether the quote has expired by the database's clock. */
export function quoteStateOf({ transactionId }: Pick<Quote, 'transactionId'>, expired: boolean): QuoteState {
  if (transactionId !== null) return 'used';
  return expired ? 'expired' : 'open';
}

/** The part of a buy or a sell that is compared with its quote: its side, its amount in kobo, and its network. */
export interface QuotedRequest {
  readonly type: TransactionType;
  /** Undefined: the amount is unreadable, and another check refuses it. */
  readonly amountMinor: bigint | undefined;
  /**
   * The network of the given or default wallet. Null: there is no wallet yet. Undefined: the network is unreadable, and another
   * check refuses it.
   */
  readonly network: string | null | undefined;
}

export type QuoteMismatch = 'type' | 'amount' | 'network';

/**
 * The fields in which the request differs from the quote, in the order of a request. A quote without a network allows any
 * network.
 */
export function findQuoteMismatches(
  quote: Pick<Quote, 'side' | 'nairaMinor' | 'network'>,
  { type, amountMinor, network }: QuotedRequest,
): readonly QuoteMismatch[] {
  const found: QuoteMismatch[] = [];
  if (quote.side !== type) found.push('type');
  if (amountMinor !== undefined && amountMinor !== quote.nairaMinor) found.push('amount');
  if (quote.network !== null && network !== undefined && network !== quote.network) found.push('network');
  return found;
}
