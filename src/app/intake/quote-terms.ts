// The quote to which a buy or a sell refers. The transaction has the fee of the quote, and the request must match the quote.
// Only the commit of the acceptance decides whether the quote is unused and has not expired.
import {
  findQuoteMismatches,
  type Quote,
  type QuotedRequest,
  type QuoteMismatch,
} from '../../domain/quotes/quote.ts';
import type { TransactionType } from '../../domain/records/states.ts';
import { isId } from '../../domain/values/ids.ts';
import { type AmountBounds, MAX_WIRE_MINOR, minorToWire } from '../../domain/values/money.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { QuoteStore } from '../../ports/quotes.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';
import type { FeePayer } from '../input/caller.ts';
import { checkFee, type FieldErrors } from '../input/field-rules.ts';

export interface QuoteTerms {
  /** Null if the request refers to no quote. */
  readonly quoteId: string | null;
  /** Null if the request refers to no quote, or if the business has no such quote in the mode of the key. */
  readonly quote: Quote | null;
}

const NO_QUOTE: QuoteTerms = { quoteId: null, quote: null };

/** `quoteId` is undefined if the request refers to no quote. */
export async function readQuoteTerms(
  quotes: Pick<QuoteStore, 'find'>,
  scope: BusinessScope,
  quoteId: string | undefined,
): Promise<QuoteTerms> {
  if (quoteId === undefined) return NO_QUOTE;
  const found = isId('quo', quoteId) ? await quotes.find(scope, quoteId) : undefined;
  return { quoteId, quote: found?.quote ?? null };
}

/**
 * Returns the bounds of the amount. If there is a quote, the usual bounds do not apply, because the amount must be exactly the
 * quoted amount.
 */
export function boundsForQuote({ quote }: QuoteTerms, bounds: AmountBounds): AmountBounds {
  return quote === null ? bounds : { minMinor: 1n, maxMinor: MAX_WIRE_MINOR };
}

/** Returns the fee of the quote, even if the fees have changed since. Without a quote, it returns the current fee. */
export function quotedOrCurrentFee(
  { quote }: QuoteTerms,
  errors: FieldErrors,
  caller: FeePayer,
  type: TransactionType,
  amountMinor: bigint | undefined,
  atMs: number,
): bigint | undefined {
  return quote === null ? checkFee(errors, caller, type, amountMinor, atMs) : quote.feeMinor;
}

export function checkQuoteTerms(
  errors: FieldErrors,
  { quoteId, quote }: QuoteTerms,
  request: QuotedRequest,
): void {
  if (quoteId === null) return;
  if (quote === null) {
    errors.add('quote_id', 'quote_unknown', QUOTE_UNKNOWN);
    return;
  }
  for (const field of findQuoteMismatches(quote, request))
    errors.add(field, 'quote_mismatch', MISMATCH_MESSAGES[field](quote));
}

const QUOTE_UNKNOWN =
  'There is no such quote. Check quote_id, and that the key belongs to the same business and mode as the quote.';

const MISMATCH_MESSAGES: Readonly<Record<QuoteMismatch, (quote: Quote) => string>> = {
  type: ({ side }) => `The quote is for a ${side}. Use it for a ${side}, or request another quote.`,
  amount: ({ nairaMinor }) => `amount must be ${minorToWire(nairaMinor)}, the naira_amount of the quote.`,
  network: ({ network }) =>
    `network must be ${network}, the network of the quote. Send it together with wallet_address.`,
};

/** The service uses this refusal only if a quote was removed after the service read it and before the acceptance. */
export function quoteUnknown(): Refusal {
  return refusal('quote_unknown', QUOTE_UNKNOWN, [
    { field: 'quote_id', code: 'quote_unknown', message: QUOTE_UNKNOWN },
  ]);
}

export function quoteUsed(transactionId: string | undefined): Refusal {
  const what = transactionId === undefined ? 'another transaction' : transactionId;
  return refusal(
    'quote_used',
    `The quote was already used for ${what}. Request a new quote, or repeat the request of that transaction.`,
  );
}

export function quoteExpired(expiresAtMs: number): Refusal {
  return refusal(
    'quote_expired',
    `The quote expired at ${new Date(expiresAtMs).toISOString()}. Request a new quote.`,
  );
}
