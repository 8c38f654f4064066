// Adds a webhook endpoint. A repeated request with the same Idempotency-Key returns the endpoint of the first request with its
// secret. The first response may have been lost.
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { checkDescription, checkSubscriptions, checkUrl } from './endpoint-fields.ts';
import { findSecretMadeBy, makeEndpointKeys } from './endpoint-keys.ts';
import { bindIdempotentName } from './idempotent-requests.ts';
import { endpointNotFound, newId, type WebhookDeps } from './webhook-deps.ts';

export interface EndpointRequest {
  readonly url: string;
  readonly events?: readonly unknown[];
  readonly description?: string;
}

export interface AddedEndpoint {
  readonly endpoint: Endpoint;
  /** Null if the secret was rotated after the first request. */
  readonly secret: string | null;
  readonly replayed: boolean;
}

export async function addEndpoint(
  deps: WebhookDeps,
  request: {
    readonly caller: BusinessActor;
    readonly body: EndpointRequest;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<AddedEndpoint, Refusal>> {
  const { caller, body, idempotencyKey } = request;
  const { businessId, mode } = scopeOf(caller);
  const errors = new FieldErrors();
  const url = checkUrl(errors, body.url, deps.urlRules(mode));
  const events = checkSubscriptions(errors, body.events ?? []);
  const description = checkDescription(errors, body.description ?? '');
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const fields = { url: url!, events: events ?? null, description: description ?? null };
  const hashed = ['webhook-endpoint', fields.url, JSON.stringify(fields.events), fields.description];
  const named = await bindIdempotentName(
    deps,
    { caller, key: idempotencyKey, fields: hashed },
    newId(deps, 'whe'),
  );
  if (!named.ok) return named;
  const { name: id, replayed } = named.value;
  const { keys, secret } = makeEndpointKeys(deps, id, id);
  const doing = { actor: caller.key.id, atMs: deps.clock.now() };
  const added = await deps.endpoints.add(
    { id, businessId, mode, ...fields },
    keys,
    deps.mostEndpoints,
    doing,
  );
  if (added === 'too_many') return fail(endpointLimitReached(deps.mostEndpoints));
  const endpoint = await deps.endpoints.find(scopeOf(caller), id);
  if (endpoint === undefined) return fail(endpointNotFound());
  if (added === 'added') return ok({ endpoint, secret, replayed });
  return ok({ endpoint, secret: await findSecretMadeBy(deps, id, id), replayed });
}

function endpointLimitReached(most: number): Refusal {
  return refusal(
    'endpoint_limit_reached',
    `A business may have at most ${most} webhook endpoints in each mode. Delete one that is no longer needed.`,
  );
}
