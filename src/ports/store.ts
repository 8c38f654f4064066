// What the service needs of its database, in its own words. Every write is all or nothing; a promise that resolves
// means the data is durable.
import type { Mode } from '../domain/mode.ts';
import type { Change, Transaction, TransactionFilter, Wallet } from '../domain/transaction.ts';

/** The database did not answer, or its answer was lost. Nothing may be assumed about what it did. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** False only when it is certain that nothing was sent. */
  readonly mayHaveActed: boolean;

  constructor(message: string, options: { cause?: unknown; mayHaveActed: boolean }) {
    super(message, { cause: options.cause });
    this.mayHaveActed = options.mayHaveActed;
  }
}

export interface Scope {
  readonly businessId: string;
  readonly mode: Mode;
}

/** Binds an Idempotency-Key to the request it came with. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly requestHash: string;
}

export interface Acceptance {
  readonly transaction: Transaction;
  /** Hash of the recognised fields after normalisation; decides whether a repeated reference is the same request. */
  readonly bodyHash: string;
  readonly idempotency: IdempotencyClaim | null;
  /** The key that asked: one revoked before the commit accepts nothing. */
  readonly keyId: string;
}

export type AcceptOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'repeated'; readonly transaction: Transaction }
  | { readonly kind: 'reference_reused' }
  | { readonly kind: 'idempotency_key_reused' }
  /** The destination is a deposit address of our own. */
  | { readonly kind: 'wallet_is_ours' }
  | { readonly kind: 'key_revoked' };

export type CommitOutcome = 'committed' | 'stale' | 'idempotency_key_taken';

export interface KeyedChange {
  readonly change: Change;
  readonly scope: Scope;
  readonly idempotency: IdempotencyClaim | null;
}

export interface Store {
  accept(acceptance: Acceptance): Promise<AcceptOutcome>;
  /** Commits a change on the version it was decided on; `stale` means: read again and decide again. */
  commit(change: KeyedChange): Promise<CommitOutcome>;
  /** The transaction that this key, or else this reference, was accepted for with this very body. */
  findRepeated(
    scope: Scope,
    claims: {
      readonly reference: string | null;
      readonly idempotencyKey: string | null;
      readonly bodyHash: string;
    },
  ): Promise<Transaction | undefined>;
  findTransaction(scope: Scope, id: string): Promise<Transaction | undefined>;
  /** Newest first, by id. */
  listTransactions(scope: Scope, filter: TransactionFilter): Promise<readonly Transaction[]>;
  isDepositTarget(mode: Mode, wallet: Wallet): Promise<boolean>;
  bindIdempotencyKey(
    scope: Scope,
    claim: IdempotencyClaim,
    transactionId: string,
    atMs: number,
  ): Promise<void>;
  findIdempotencyKey(
    scope: Scope,
    key: string,
  ): Promise<{ readonly requestHash: string; readonly transactionId: string } | undefined>;
  /** Forgets keys bound before a time; answers how many. */
  purgeIdempotencyKeys(beforeMs: number): Promise<number>;
}
