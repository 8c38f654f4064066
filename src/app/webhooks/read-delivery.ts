// One delivery as its log shows it: the attempts, and the request that was sent. The signature is not kept.
import { isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Attempt, Delivery } from '../../domain/webhooks/delivery.ts';
import { type Agent, scopeOf } from '../input/caller.ts';
import { deliveryNotFound, type WebhookDeps } from './webhook-deps.ts';
import { webhookHeaders } from './webhook-headers.ts';

export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
  /** Null when the event is no longer known. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

export async function readDelivery(
  deps: Pick<WebhookDeps, 'deliveries' | 'events' | 'render' | 'userAgent'>,
  caller: Agent,
  id: string,
): Promise<Result<ShownDelivery, Refusal>> {
  const delivery = isId('whd', id) ? await deps.deliveries.find(scopeOf(caller), id) : undefined;
  if (delivery === undefined) return fail(deliveryNotFound());
  const { eventId } = delivery;
  const [attempts, events] = await Promise.all([deps.deliveries.attempts(id), deps.events.byIds([eventId])]);
  const event = events.get(eventId);
  const lastAtMs = attempts.at(-1)?.atMs;
  const headers = webhookHeaders(deps.userAgent, eventId, lastAtMs ?? null);
  return ok({
    delivery,
    attempts,
    request: event === undefined ? null : { headers, body: deps.render(event) },
  });
}
