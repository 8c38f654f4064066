// Does the last step of every submission: it stores the acceptance durably, and turns the outcome of the store into a response.
import { hash } from 'node:crypto';
import type { Transaction } from '../../domain/records/transaction.ts';
import { fieldRefusal, type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Caller } from '../input/caller.ts';
import { quoteExpired, quoteUnknown, quoteUsed } from './quote-terms.ts';
import { referenceReused } from './reference-reused.ts';

export interface AcceptedTransaction {
  readonly transaction: Transaction;
  /** True if the same request was accepted before. Then the result is the current state of its transaction. */
  readonly replayed: boolean;
}

/** Hashes the known fields of a request, normalised and in a fixed order, so that equivalent requests have the same hash. */
export function hashFields(fields: readonly (string | null)[]): string {
  return hash('sha256', JSON.stringify(fields), 'base64url');
}

export async function acceptTransaction(
  store: Store,
  caller: Caller,
  transaction: Transaction,
  bodyHash: string,
  idempotencyKey: string | null,
  scenario: string | null,
): Promise<Result<AcceptedTransaction, Refusal>> {
  const outcome = await store.accept({
    transaction,
    bodyHash,
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, requestHash: bodyHash },
    keyId: caller.key.id,
    scenario,
  });
  switch (outcome.kind) {
    case 'created':
      return ok({ transaction, replayed: false });
    case 'repeated':
      return ok({ transaction: outcome.transaction, replayed: true });
    case 'reference_reused':
      return fail(referenceReused(outcome.transaction, transaction));
    case 'idempotency_key_reused':
      return fail(idempotencyKeyReused());
    case 'quote_used':
      return fail(quoteUsed(outcome.transaction?.id));
    case 'quote_expired':
      return fail(quoteExpired(outcome.expiresAtMs));
    case 'quote_unknown':
      return fail(quoteUnknown());
    case 'wallet_is_ours':
      return fail(depositAddressRefusal());
    case 'key_revoked':
      return fail(refusal('unauthorized', 'The secret key is missing, wrong or revoked.'));
  }
}

export function depositAddressRefusal(): Refusal {
  const message = "wallet_address is a deposit address of this service. Use the customer's own wallet.";
  return fieldRefusal([{ field: 'wallet_address', code: 'wallet_forbidden', message }]);
}

export function idempotencyKeyReused(): Refusal {
  return refusal(
    'idempotency_key_reused',
    'Idempotency-Key was already used for another request. Use a new key, or repeat the same request.',
  );
}
