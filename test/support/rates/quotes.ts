// Creates quotes in the store, for tests of the adapters.
import type { ExposureLimits, NewQuote } from '../../../src/ports/quotes.ts';
import { freshId, KEY, SCOPE } from '../../http/store-fixtures.ts';

export const WIDE: ExposureLimits = { maxOpenMinor: 10n ** 14n, maxOpenQuotes: 100_000 };

/** A quote for an amount in naira, which is valid for ten minutes. */
export function newQuote(changes: Partial<NewQuote> = {}): NewQuote {
  const amountMinor = changes.amountMinor ?? 1_500_050n;
  return {
    id: freshId('quo'),
    ...SCOPE,
    side: 'buy',
    amountMinor,
    currency: 'NGN',
    network: null,
    nairaMinor: amountMinor,
    feeMinor: 0n,
    rateE4: 10_000n,
    sources: [],
    decisionId: null,
    validForMs: 600_000,
    keyId: KEY,
    idempotency: null,
    ...changes,
  };
}

export function dollarQuote(changes: Partial<NewQuote> = {}): NewQuote {
  return newQuote({
    amountMinor: 10_000n,
    currency: 'USD',
    nairaMinor: 16_012_500n,
    rateE4: 16_012_500n,
    sources: [{ name: 'desk', valueE4: 16_000_000n, asOfMs: 1_700_000_000_000 }],
    decisionId: freshId('rat'),
    ...changes,
  });
}
