// What the use cases of webhooks share, including their refusals. A use case finds only endpoints and deliveries of the
// caller's business and mode.
import type { BusinessEvent } from '../../domain/events/event.ts';
import { ID_RANDOM_BYTES, type IdPrefix, isId, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import type { UrlRules } from '../../domain/webhooks/url-rules.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/events.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { Store } from '../../ports/store/store.ts';
import type { DeliveryLog, WebhookEndpoints } from '../../ports/webhooks.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';

export interface WebhookDeps {
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: DeliveryLog;
  readonly events: Pick<EventLog, 'list' | 'byIds'>;
  readonly store: Pick<Store, 'bindIdempotencyKey' | 'findIdempotencyKey'>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly urlRules: (mode: Mode) => UrlRules;
  /** The maximum number of endpoints of a business in a mode. */
  readonly mostEndpoints: number;
  /** Renders the body of a webhook: the event as JSON. */
  readonly render: (event: BusinessEvent) => string;
  readonly userAgent: string;
  /** The use cases call this when deliveries are ready to be sent. */
  readonly queued: () => void;
}

export function newId({ clock, entropy }: Pick<WebhookDeps, 'clock' | 'entropy'>, prefix: IdPrefix): string {
  return makeId(prefix, clock.now(), entropy.bytes(ID_RANDOM_BYTES));
}

export async function findEndpoint(
  { endpoints }: Pick<WebhookDeps, 'endpoints'>,
  caller: BusinessActor,
  id: string,
): Promise<Result<Endpoint, Refusal>> {
  const endpoint = isId('whe', id) ? await endpoints.find(scopeOf(caller), id) : undefined;
  return endpoint === undefined ? fail(endpointNotFound()) : ok(endpoint);
}

/** Finds an enabled endpoint. A disabled endpoint is refused until it is enabled. */
export async function findEnabledEndpoint(
  deps: Pick<WebhookDeps, 'endpoints'>,
  caller: BusinessActor,
  id: string,
): Promise<Result<Endpoint, Refusal>> {
  const found = await findEndpoint(deps, caller, id);
  return found.ok && found.value.state === 'disabled' ? fail(endpointDisabled()) : found;
}

export function endpointNotFound(): Refusal {
  return refusal(
    'endpoint_not_found',
    'There is no such webhook endpoint. Check its id, and that the key belongs to the same business and mode.',
  );
}

export function deliveryNotFound(): Refusal {
  return refusal(
    'delivery_not_found',
    'There is no such delivery. Check its id, and that the key belongs to the same business and mode.',
  );
}

function endpointDisabled(): Refusal {
  return refusal(
    'endpoint_disabled',
    'The webhook endpoint is disabled. Enable it first: PATCH /webhooks/v1/endpoints/{id} with {"state": "enabled"}.',
  );
}
