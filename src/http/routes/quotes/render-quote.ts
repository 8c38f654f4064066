// A quote as JSON: amounts and rates are numbers, exact in their decimals.
import { netOf, quoteStateOf } from '../../../domain/quotes/price-quote.ts';
import { rateNumber } from '../../../domain/rates/rates.ts';
import { minorToWire } from '../../../domain/values/money.ts';
import type { FoundQuote } from '../../../ports/quotes.ts';

export function renderQuote({ quote, expired }: FoundQuote) {
  return {
    quote_id: quote.id,
    side: quote.side,
    amount: minorToWire(quote.amountMinor),
    currency: quote.currency,
    network: quote.network,
    naira_amount: minorToWire(quote.nairaMinor),
    fees: [{ name: 'service_fee', amount: minorToWire(quote.feeMinor) }],
    net_amount: minorToWire(netOf(quote)),
    rate: rateNumber(quote.rateE4),
    sources: quote.sources.map(({ name, valueE4, asOfMs }) => ({
      name,
      rate: rateNumber(valueE4),
      as_of: new Date(asOfMs).toISOString(),
    })),
    decision_id: quote.decisionId,
    state: quoteStateOf(quote, expired),
    transaction_id: quote.transactionId,
    mode: quote.mode,
    created_at: new Date(quote.createdAtMs).toISOString(),
    expires_at: new Date(quote.expiresAtMs).toISOString(),
  };
}
