// Handles the Idempotency-Key of webhook requests. If a request creates something, the service binds the key first. If a
// request only sends again, the service records the key afterwards. To send twice is harmless, but to send nothing would be
// wrong.
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { hashFields, idempotencyKeyReused } from '../intake/accept-transaction.ts';
import type { WebhookDeps } from './webhook-deps.ts';

type IdempotencyDeps = Pick<WebhookDeps, 'store' | 'clock'>;

/** A request that may be repeated. A repeated request must have the same values in `fields`. */
export interface IdempotentRequest {
  readonly caller: BusinessActor;
  /** Null if the request has no Idempotency-Key. */
  readonly key: string | null;
  readonly fields: readonly (string | null)[];
}

/** Returns a new id for the created record, or the id that an earlier request with this key created. */
export async function bindIdempotentName(
  { store, clock }: IdempotencyDeps,
  { caller, key, fields }: IdempotentRequest,
  own: string,
): Promise<Result<{ readonly name: string; readonly replayed: boolean }, Refusal>> {
  if (key === null) return ok({ name: own, replayed: false });
  const requestHash = hashFields(fields);
  const scope = scopeOf(caller);
  await store.bindIdempotencyKey(scope, { key, requestHash }, own, clock.now());
  const bound = await store.findIdempotencyKey(scope, key);
  if (bound === undefined || bound.requestHash !== requestHash) return fail(idempotencyKeyReused());
  return ok({ name: bound.transactionId, replayed: bound.transactionId !== own });
}

/** Does the work, unless an earlier request with this key already did it. In that case, returns the result of `again`. */
export async function runIdempotently<T>(
  { store, clock }: IdempotencyDeps,
  { caller, key, fields }: IdempotentRequest,
  subject: string,
  work: () => Promise<Result<T, Refusal>>,
  again: () => Promise<Result<T, Refusal>>,
): Promise<Result<{ readonly value: T; readonly replayed: boolean }, Refusal>> {
  const scope = scopeOf(caller);
  const requestHash = hashFields(fields);
  const used = key === null ? undefined : await store.findIdempotencyKey(scope, key);
  if (used !== undefined && used.requestHash !== requestHash) return fail(idempotencyKeyReused());
  const result = await (used === undefined ? work() : again());
  if (!result.ok) return result;
  if (key !== null && used === undefined)
    await store.bindIdempotencyKey(scope, { key, requestHash }, subject, clock.now());
  return ok({ value: result.value, replayed: used !== undefined });
}
