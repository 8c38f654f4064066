// Sends one delivery again, with the same webhook-id: a new round of the schedule when it is over, its next attempt at once when it
// waits for that.
import { isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { type Agent, scopeOf } from '../input/caller.ts';
import { doOnce } from './once.ts';
import { deliveryNotFound, findEnabled, type WebhookDeps } from './webhook-deps.ts';

export async function redeliver(
  deps: WebhookDeps,
  request: { readonly caller: Agent; readonly id: string; readonly idempotencyKey: string | null },
): Promise<Result<{ readonly value: Delivery; readonly replayed: boolean }, Refusal>> {
  const { caller, id, idempotencyKey: key } = request;
  const scope = scopeOf(caller);
  const delivery = isId('whd', id) ? await deps.deliveries.find(scope, id) : undefined;
  if (delivery === undefined) return fail(deliveryNotFound());
  const queue = async () => {
    const endpoint = await findEnabled(deps, caller, delivery.endpointId);
    if (!endpoint.ok) return endpoint;
    if ((await deps.deliveries.queueAgain([delivery], false, deps.clock.now())) > 0) deps.queued();
    return ok((await deps.deliveries.find(scope, id)) ?? delivery);
  };
  return doOnce(deps, { caller, key, fields: ['redeliver', id] }, id, queue, async () => ok(delivery));
}
