// What a rail answers about a payout, to an order and to a question. It is what the rail says, and no proof of what it does:
// what an answer proves is decided in payout-outcome.ts.

/**
 * Whose fault a refusal is. `payout`: the account or the order; every rail would refuse it. `rail`: the rail itself (its balance,
 * its limit, its contract); another rail may pay it.
 */
export type Fault = 'payout' | 'rail';

export type PayoutStatus =
  | { readonly kind: 'pending' }
  /** `chargeMinor` null: the rail does not say, so the table of bank charges holds (domain/catalogue/bank-charges.ts). */
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint | null }
  /** Refused, with a code that the rail calls final. Everything less certain is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly fault: Fault }
  /** It was paid, and the money is back in our account. */
  | { readonly kind: 'returned'; readonly reason: string }
  /**
   * Only of an order: not one byte of it left (no name, no route, connection refused, or a call that comes before the order
   * failed). It proves nothing about earlier calls with the same reference.
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The rail does not know the reference. Just after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };
