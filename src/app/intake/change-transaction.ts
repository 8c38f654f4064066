// The loop around a decision on a transaction: the service reads, decides, and commits if the version has not changed since the
// read. After a concurrent change, the service decides again.
import { type BusinessRequest, decideBusinessRequest } from '../../domain/settlement/business-requests.ts';
import { isId } from '../../domain/values/ids.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdempotencyBinding } from '../../ports/store/acceptance.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { type AcceptedTransaction, hashFields, idempotencyKeyReused } from './accept-transaction.ts';

/** The maximum number of attempts. If even more concurrent changes follow each other, something else is wrong. */
const MAX_ATTEMPTS = 10;

/** `replayed` is true if an earlier request already made the change, so that nothing changed now. */
export async function changeTransaction(
  store: Store,
  scope: BusinessScope,
  transactionId: string,
  event: BusinessRequest,
  idempotency: IdempotencyBinding | null,
): Promise<Result<AcceptedTransaction, Refusal>> {
  if (!isId('txn', transactionId)) return fail(transactionNotFound());
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const transaction = await store.findTransaction(scope, transactionId);
    if (transaction === undefined) return fail(transactionNotFound());
    if (idempotency !== null) {
      const used = await store.findIdempotencyKey(scope, idempotency.key);
      if (used !== undefined && used.requestHash !== idempotency.requestHash)
        return fail(idempotencyKeyReused());
      if (used !== undefined) return ok({ transaction, replayed: true });
    }
    const decision = decideBusinessRequest(transaction, event);
    if (decision.kind === 'refused') return fail(decision.refusal);
    if (decision.kind === 'already_done') {
      if (idempotency !== null) await store.bindIdempotencyKey(scope, idempotency, transactionId, event.atMs);
      return ok({ transaction, replayed: true });
    }
    const [outcome] = await store.commit([
      {
        atMs: event.atMs,
        transactions: [decision.move],
        ...(idempotency !== null && { idempotency: { ...scope, ...idempotency, transactionId } }),
      },
    ]);
    // If another request has used the idempotency key meanwhile, the next attempt finds it.
    if (outcome!.kind === 'committed') return ok({ transaction: decision.move.after, replayed: false });
  }
  throw new Error(`transaction ${transactionId} could not be changed: other requests kept changing it`);
}

/**
 * The message is the same if the transaction does not exist and if it belongs to another business. So a caller cannot tell the
 * two apart.
 */
export function transactionNotFound(): Refusal {
  return refusal(
    'transaction_not_found',
    'There is no such transaction. Check transaction_id, and that the key belongs to the same business and mode.',
  );
}

/**
 * Cancels a transaction for which no money has arrived yet. The service still accounts for a payment that arrives afterwards.
 */
export async function cancelTransaction(
  deps: { readonly store: Store; readonly clock: Clock },
  request: {
    readonly caller: BusinessActor;
    readonly transactionId: string;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<AcceptedTransaction, Refusal>> {
  const { caller, transactionId, idempotencyKey } = request;
  const event = { kind: 'cancel_requested', actor: caller.key.id, atMs: deps.clock.now() } as const;
  const claim =
    idempotencyKey === null
      ? null
      : { key: idempotencyKey, requestHash: hashFields(['cancel', transactionId]) };
  return changeTransaction(deps.store, scopeOf(caller), transactionId, event, claim);
}
