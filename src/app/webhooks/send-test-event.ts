// Sends a test event to one endpoint. The type is always `webhook.test`. A signed test event about an invented transaction
// would look real, and the receiver could act on it.
import { EVENT_TYPES } from '../../domain/events/event.ts';
import { findNearestWord } from '../../domain/values/nearest-word.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { bindIdempotentName } from './idempotent-requests.ts';
import { findEnabledEndpoint, newId, type WebhookDeps } from './webhook-deps.ts';

export async function sendTestEvent(
  deps: WebhookDeps,
  request: {
    readonly caller: BusinessActor;
    readonly id: string;
    /** The event type that the tester wants to test. The data of the test event repeats this type. */
    readonly standsFor: string | undefined;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<{ readonly delivery: Delivery; readonly replayed: boolean }, Refusal>> {
  const { caller, id, standsFor, idempotencyKey: key } = request;
  const found = await findEnabledEndpoint(deps, caller, id);
  if (!found.ok) return found;
  if (standsFor !== undefined && !EVENT_TYPES.some((type) => type === standsFor)) {
    const message = `type must be an event type. Use ${findNearestWord(standsFor, EVENT_TYPES) ?? EVENT_TYPES[0]}.`;
    return fail(fieldRefusal([{ field: 'type', code: 'event_type_unknown', message }]));
  }
  const fields = ['webhook-test', id, standsFor ?? null];
  const named = await bindIdempotentName(deps, { caller, key, fields }, newId(deps, 'whd'));
  if (!named.ok) return named;
  const { name, replayed } = named.value;
  const known = replayed ? await deps.deliveries.find(scopeOf(caller), name) : undefined;
  if (known !== undefined) return ok({ delivery: known, replayed });
  const { businessId, mode } = found.value;
  const eventId = newId(deps, 'evt');
  const type = 'webhook.test';
  const data = { endpoint_id: id, stands_for: standsFor ?? null };
  const delivery = await deps.deliveries.addTest(
    { id: eventId, businessId, mode, type, atMs: deps.clock.now(), data, endpointId: id },
    { id: name, endpointId: id, eventId, eventType: type },
  );
  deps.queued();
  return ok({ delivery, replayed });
}
