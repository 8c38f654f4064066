// Stores quotes in the database. The database decides by its own clock whether a quote has expired and how much is open.
import type { Quote } from '../domain/quotes/quote.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { BusinessScope } from './store/reads.ts';

/** A quote before it is stored. The database sets its times. */
export interface NewQuote extends Omit<Quote, 'createdAtMs' | 'expiresAtMs' | 'transactionId'> {
  readonly validForMs: number;
  /**
   * The key of the request. If the key was revoked before the commit, no quote is created. Null if a member of the business
   * made the request.
   */
  readonly keyId: string | null;
  readonly idempotency: { readonly key: string; readonly requestHash: string } | null;
}

export interface ExposureLimits {
  /** The maximum sum of the open quotes of one business and mode, in kobo. */
  readonly maxOpenMinor: bigint;
  readonly maxOpenQuotes: number;
}

export type QuoteOutcome =
  | { readonly kind: 'created'; readonly quote: Quote }
  | { readonly kind: 'repeated'; readonly quote: Quote; readonly expired: boolean }
  | { readonly kind: 'idempotency_key_reused' }
  | { readonly kind: 'exposure_exceeded'; readonly openMinor: bigint; readonly openQuotes: number }
  | { readonly kind: 'key_revoked' };

export interface QuoteWithExpiry {
  readonly quote: Quote;
  readonly expired: boolean;
}

export interface QuoteFilter {
  readonly state?: 'open' | 'used' | 'expired';
  readonly after?: { readonly id: string };
  readonly limit: number;
}

export interface QuoteStore {
  add(quote: NewQuote, limits: ExposureLimits): Promise<QuoteOutcome>;
  find(scope: BusinessScope, id: string): Promise<QuoteWithExpiry | undefined>;
  /** Finds the quote that was created with this Idempotency-Key, and the hash of the request that used the key. */
  findByKey(
    scope: BusinessScope,
    idempotencyKey: string,
  ): Promise<(QuoteWithExpiry & { readonly requestHash: string }) | undefined>;
  /** Newest first. */
  list(scope: BusinessScope, filter: QuoteFilter): Promise<readonly QuoteWithExpiry[]>;
  /** Lists the quotes of all businesses, or of one business, for operators. */
  listAll(
    filter: QuoteFilter & { readonly mode?: Mode; readonly businessId?: string },
  ): Promise<readonly QuoteWithExpiry[]>;
  exposure(): Promise<
    readonly {
      readonly businessId: string;
      readonly mode: Mode;
      readonly openMinor: bigint;
      readonly openQuotes: number;
    }[]
  >;
  /** Deletes unused quotes that expired before this time, and returns their number. */
  purge(expiredBeforeMs: number): Promise<number>;
}
