// Cancels a transaction that no money has reached yet. A payment that arrives afterwards is still accounted for.
import type { Refusal } from '../../domain/values/refusals.ts';
import type { Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store/store.ts';
import { type Agent, scopeOf } from '../input/caller.ts';
import { type Accepted, hashFields } from './accept-transaction.ts';
import { changeTransaction } from './change-transaction.ts';

export async function cancelTransaction(
  deps: { readonly store: Store; readonly clock: Clock },
  request: {
    readonly caller: Agent;
    readonly transactionId: string;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<Accepted, Refusal>> {
  const { caller, transactionId, idempotencyKey } = request;
  const event = { kind: 'cancel_requested', actor: caller.key.id, atMs: deps.clock.now() } as const;
  const claim =
    idempotencyKey === null
      ? null
      : { key: idempotencyKey, requestHash: hashFields(['cancel', transactionId]) };
  return changeTransaction(deps.store, scopeOf(caller), transactionId, event, claim);
}
