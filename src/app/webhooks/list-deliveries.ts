// Returns a page of an endpoint's deliveries, newest first.
import { isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { DELIVERY_STATES, type Delivery, type DeliveryAttempt } from '../../domain/webhooks/delivery.ts';
import type { DeliveryFilter } from '../../ports/webhooks.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import {
  addCursorError,
  DEFAULT_PAGE_SIZE,
  type ListQuery,
  parseLimit,
  parseTime,
  singleParam,
} from '../input/list-query.ts';
import { webhookHeaders } from './delivery-windows.ts';
import { deliveryNotFound, findEndpoint, type WebhookDeps } from './webhook-deps.ts';

const MAX_EVENT_ID = 64;

export async function listDeliveries(
  deps: Pick<WebhookDeps, 'endpoints' | 'deliveries'>,
  caller: BusinessActor,
  endpointId: string,
  query: ListQuery,
): Promise<
  Result<{ readonly deliveries: readonly Delivery[]; readonly nextCursor: string | null }, Refusal>
> {
  const found = await findEndpoint(deps, caller, endpointId);
  if (!found.ok) return found;
  const filter = parseDeliveryFilter(query);
  if (!filter.ok) return filter;
  const { limit } = filter.value;
  const rows = await deps.deliveries.list(endpointId, { ...filter.value, limit: limit + 1 });
  const deliveries = rows.slice(0, limit);
  return ok({ deliveries, nextCursor: rows.length > limit ? deliveries.at(-1)!.id : null });
}

function parseDeliveryFilter(query: ListQuery): Result<DeliveryFilter, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string) => singleParam(errors, query, name);
  const state = parseState(errors, text('state'));
  const eventId = parseEventId(errors, text('event_id'));
  const fromMs = parseTime(errors, 'from', text('from'));
  const toMs = parseTime(errors, 'to', text('to'));
  const limit = parseLimit(errors, text('limit')) ?? DEFAULT_PAGE_SIZE;
  const before = parseCursor(errors, text('cursor'));
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({
    limit,
    ...(state !== undefined && { state }),
    ...(eventId !== undefined && { eventId }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(before !== undefined && { before }),
  });
}

function parseState(errors: FieldErrors, text: string | undefined): DeliveryFilter['state'] {
  if (text === undefined) return undefined;
  const state = DELIVERY_STATES.find((each) => each === text);
  const message = `state must be one of ${DELIVERY_STATES.join(', ')}.`;
  return state ?? errors.add('state', 'filter_invalid', message);
}

function parseEventId(errors: FieldErrors, text: string | undefined): string | undefined {
  if (text === undefined || (/^evt_[0-9a-z_]+$/.test(text) && text.length <= MAX_EVENT_ID)) return text;
  return errors.add('event_id', 'filter_invalid', 'event_id must be the id of an event, such as evt_….');
}

function parseCursor(errors: FieldErrors, text: string | undefined): string | undefined {
  return text === undefined || isId('whd', text) ? text : addCursorError(errors);
}

/** One delivery as the log of deliveries shows it: its attempts, and the request that was sent. The signature is not stored. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  readonly attempts: readonly DeliveryAttempt[];
  /** Null if the event no longer exists. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

export async function readDelivery(
  deps: Pick<WebhookDeps, 'deliveries' | 'events' | 'render' | 'userAgent'>,
  caller: BusinessActor,
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
