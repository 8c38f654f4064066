// How a request becomes a transaction. A request is accepted only once, even if it is sent several times. When a promise
// resolves, the data is durable.
import type { Transaction, Wallet } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { BusinessScope } from './reads.ts';

export interface IdempotencyBinding {
  readonly key: string;
  readonly requestHash: string;
}

export interface Acceptance {
  readonly transaction: Transaction;
  /**
   * A hash of the recognised fields after normalisation. It decides whether a request with a known reference is the same
   * request.
   */
  readonly bodyHash: string;
  readonly idempotency: IdempotencyBinding | null;
  /** The key of the request. If the key was revoked before the commit, the service accepts nothing. */
  readonly keyId: string;
  readonly scenario: string | null;
}

export type AcceptOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'repeated'; readonly transaction: Transaction }
  /** Another request of the same business, with a different body, has already used this reference. */
  | { readonly kind: 'reference_reused'; readonly transaction: Transaction }
  | { readonly kind: 'idempotency_key_reused' }
  /** Another request used the quote. The transaction is null if it cannot be read. */
  | { readonly kind: 'quote_used'; readonly transaction: Transaction | null }
  | { readonly kind: 'quote_expired'; readonly expiresAtMs: number }
  /** The business of the key has no such quote in the mode of the key. */
  | { readonly kind: 'quote_unknown' }
  /** The destination is one of our own deposit addresses. */
  | { readonly kind: 'wallet_is_ours' }
  | { readonly kind: 'key_revoked' };

export interface AcceptanceStore {
  accept(acceptance: Acceptance): Promise<AcceptOutcome>;
  /**
   * Finds the transaction that was accepted with the same body. It looks first for this Idempotency-Key, then for this
   * reference, then for this quote.
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
  purgeIdempotencyKeys(beforeMs: number): Promise<number>;
  isDepositTarget(mode: Mode, wallet: Wallet): Promise<boolean>;
}
