// How a request becomes a transaction: it is accepted once, even if it is sent several times. When a promise resolves, the data
// is durable.
import type { Transaction, Wallet } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { BusinessScope } from './reads.ts';

/** Binds an Idempotency-Key to the request that used it first. */
export interface IdempotencyBinding {
  readonly key: string;
  readonly requestHash: string;
}

export interface Acceptance {
  readonly transaction: Transaction;
  /** A hash of the recognised fields after normalisation; it decides whether a repeated reference is the same request. */
  readonly bodyHash: string;
  readonly idempotency: IdempotencyBinding | null;
  /** The key of the request: if it was revoked before the commit, nothing is accepted. */
  readonly keyId: string;
  /** The scenario that the sandbox plays for the transaction. */
  readonly scenario: string | null;
}

export type AcceptOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'repeated'; readonly transaction: Transaction }
  /** Another request of the same business, with a different body, already used the reference for this transaction. */
  | { readonly kind: 'reference_reused'; readonly transaction: Transaction }
  | { readonly kind: 'idempotency_key_reused' }
  /** Another request used the quote; null if its transaction cannot be read. */
  | { readonly kind: 'quote_used'; readonly transaction: Transaction | null }
  | { readonly kind: 'quote_expired'; readonly expiresAtMs: number }
  /** The business of the key has no such quote in its mode. */
  | { readonly kind: 'quote_unknown' }
  /** The destination is one of our own deposit addresses. */
  | { readonly kind: 'wallet_is_ours' }
  | { readonly kind: 'key_revoked' };

export interface AcceptanceStore {
  accept(acceptance: Acceptance): Promise<AcceptOutcome>;
  /**
   * The transaction that was accepted with the same body for this key; otherwise for this reference; otherwise for this quote.
   */
  findRepeated(
    scope: BusinessScope,
    claims: {
      readonly reference: string | null;
      readonly idempotencyKey: string | null;
      readonly quoteId: string | null;
      readonly bodyHash: string;
    },
  ): Promise<Transaction | undefined>;
  bindIdempotencyKey(
    scope: BusinessScope,
    claim: IdempotencyBinding,
    transactionId: string,
    atMs: number,
  ): Promise<void>;
  findIdempotencyKey(
    scope: BusinessScope,
    key: string,
  ): Promise<{ readonly requestHash: string; readonly transactionId: string } | undefined>;
  /** Deletes keys that were bound before this time; returns their number. */
  purgeIdempotencyKeys(beforeMs: number): Promise<number>;
  isDepositTarget(mode: Mode, wallet: Wallet): Promise<boolean>;
}
