// Rotates the keys of an endpoint. During the hours of overlap, the service signs with the old keys and with the new keys. A
// receiver can therefore change its key without missing an event.
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { findSecretMadeBy, makeEndpointKeys } from './endpoint-keys.ts';
import { bindIdempotentName } from './idempotent-requests.ts';
import { endpointNotFound, findEndpoint, newId, type WebhookDeps } from './webhook-deps.ts';

export const MAX_OVERLAP_HOURS = 168;
export const DEFAULT_OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

export interface RotatedKeys {
  readonly endpoint: Endpoint;
  /** The new secret. Null: the request is a repetition, and the keys were rotated again after the first request. */
  readonly secret: string | null;
  readonly replayed: boolean;
}

export async function rotateKeys(
  deps: WebhookDeps,
  request: {
    readonly caller: BusinessActor;
    readonly id: string;
    readonly overlapHours: number | undefined;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<RotatedKeys, Refusal>> {
  const { caller, id, overlapHours = DEFAULT_OVERLAP_HOURS, idempotencyKey: key } = request;
  const found = await findEndpoint(deps, caller, id);
  if (!found.ok) return found;
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS) {
    const message = `overlap_hours must be a whole number from 0 to ${MAX_OVERLAP_HOURS}.`;
    return fail(fieldRefusal([{ field: 'overlap_hours', code: 'overlap_invalid', message }]));
  }
  const fields = ['webhook-rotate', id, String(overlapHours)];
  const named = await bindIdempotentName(deps, { caller, key, fields }, newId(deps, 'req'));
  if (!named.ok) return named;
  const { name, replayed } = named.value;
  const atMs = deps.clock.now();
  const { keys, secret } = makeEndpointKeys(deps, id, name);
  const doing = { actor: caller.key.id, atMs };
  const scope = scopeOf(caller);
  const rotated = await deps.endpoints.rotate(scope, id, keys, atMs + overlapHours * HOUR_MS, doing);
  const endpoint = await deps.endpoints.find(scope, id);
  if (endpoint === undefined) return fail(endpointNotFound());
  return ok({ endpoint, secret: rotated ? secret : await findSecretMadeBy(deps, id, name), replayed });
}
