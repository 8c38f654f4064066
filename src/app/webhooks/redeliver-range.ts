// Queues the events of a period for an endpoint again. The request covers either all events of the period, or only those whose
// delivery failed, is pending or was never made. A repeated request changes nothing.
import { EVENT_TYPES, isEventId, isSubscribedTo } from '../../domain/events/event.ts';
import { isId } from '../../domain/values/ids.ts';
import { fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { type Endpoint, wantsEvent } from '../../domain/webhooks/endpoint.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { parseTime } from '../input/list-query.ts';
import { checkSubscriptions } from './endpoint-fields.ts';
import { runIdempotently } from './idempotent-requests.ts';
import { deliveryNotFound, findEnabledEndpoint, newId, type WebhookDeps } from './webhook-deps.ts';

const PAGE = 500;
/** One request queues at most this many events. The next request continues at `nextCursor`. */
const MOST_EVENTS = 10_000;

export interface QueuedDeliveries {
  readonly queued: number;
  /** Null: the range has no further events. */
  readonly nextCursor: string | null;
}

interface RedeliveryRange {
  readonly fromMs: number;
  /** The end of the range. Undefined: the end of the event log. */
  readonly toMs: number | undefined;
  readonly subscriptions: readonly string[] | null;
  readonly onlyFailed: boolean;
  /** The range starts after the event with this id. */
  readonly cursor: string | undefined;
}

export interface RedeliveryRequest {
  readonly caller: BusinessActor;
  readonly id: string;
  readonly idempotencyKey: string | null;
}

export async function redeliverRange(
  deps: WebhookDeps,
  request: RedeliveryRequest,
  body: {
    readonly from: string;
    readonly to: string;
    readonly events?: readonly unknown[];
    readonly cursor?: string;
  },
): Promise<RedeliveryResult> {
  const found = await findEnabledEndpoint(deps, request.caller, request.id);
  if (!found.ok) return found;
  const errors = new FieldErrors();
  const fromMs = parseTime(errors, 'from', body.from);
  const toMs = parseTime(errors, 'to', body.to);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    errors.add('to', 'filter_invalid', 'to must not be before from.');
  const subscriptions = checkSubscriptions(errors, body.events ?? []) ?? null;
  checkCursor(errors, body.cursor);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const range = { fromMs: fromMs!, toMs: toMs!, subscriptions, onlyFailed: false, cursor: body.cursor };
  return queueIdempotently(deps, request, found.value, range);
}

/**
 * Queues failed deliveries again, and queues events that got no delivery while the endpoint was disabled. Events from before
 * the creation of the endpoint are left out.
 */
export async function recoverFailedDeliveries(
  deps: WebhookDeps,
  request: RedeliveryRequest,
  body: { readonly since: string; readonly cursor?: string },
): Promise<RedeliveryResult> {
  const found = await findEnabledEndpoint(deps, request.caller, request.id);
  if (!found.ok) return found;
  const errors = new FieldErrors();
  const sinceMs = parseTime(errors, 'since', body.since);
  checkCursor(errors, body.cursor);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const fromMs = Math.max(sinceMs!, found.value.createdAtMs);
  // The range has no end time. The clock of the process that created an event may be ahead of the clock of this process.
  const range = { fromMs, toMs: undefined, subscriptions: null, onlyFailed: true, cursor: body.cursor };
  return queueIdempotently(deps, request, found.value, range);
}

type RedeliveryResult = Result<{ readonly value: QueuedDeliveries; readonly replayed: boolean }, Refusal>;

function queueIdempotently(
  deps: WebhookDeps,
  { caller, id, idempotencyKey: key }: RedeliveryRequest,
  endpoint: Endpoint,
  range: RedeliveryRange,
): Promise<RedeliveryResult> {
  const { fromMs, toMs, subscriptions, onlyFailed, cursor = null } = range;
  const times = toMs === undefined ? [String(fromMs)] : [String(fromMs), String(toMs)];
  const fields = [onlyFailed ? 'recover' : 'redeliver', id, cursor, JSON.stringify(subscriptions), ...times];
  const work = (queues: boolean) => queueRange(deps, caller, endpoint, range, queues);
  return runIdempotently(
    deps,
    { caller, key, fields },
    id,
    () => work(true),
    // A repeated request queues nothing. Its caller may have lost the first response and still needs the next cursor.
    () => work(false),
  );
}

async function queueRange(
  deps: WebhookDeps,
  caller: BusinessActor,
  endpoint: Endpoint,
  { fromMs, toMs, subscriptions, onlyFailed, cursor }: RedeliveryRange,
  queues: boolean,
): Promise<Result<QueuedDeliveries, Refusal>> {
  const types = EVENT_TYPES.filter(
    (type) => isSubscribedTo(endpoint.events, type) && isSubscribedTo(subscriptions, type),
  );
  const range = { types, fromMs, ...(toMs !== undefined && { toMs }), limit: PAGE };
  let queued = 0;
  let after = cursor;
  for (let seen = 0; types.length > 0 && seen < MOST_EVENTS; seen += PAGE) {
    const filter = { ...range, ...(after !== undefined && { after }) };
    const events = await deps.events.list(scopeOf(caller), filter);
    if (events === undefined) return fail(fieldRefusal([CURSOR_ERROR]));
    const deliveries = events
      .filter((event) => wantsEvent(endpoint, event))
      .map(({ id: eventId, type: eventType }) => ({
        id: newId(deps, 'whd'),
        endpointId: endpoint.id,
        eventId,
        eventType,
      }));
    if (queues && deliveries.length > 0)
      queued += await deps.deliveries.queueAgain(deliveries, onlyFailed, deps.clock.now());
    after = events.length < PAGE ? undefined : events.at(-1)!.id;
    if (after === undefined) break;
  }
  if (queued > 0) deps.queued();
  return ok({ queued, nextCursor: after ?? null });
}

const CURSOR_ERROR = {
  field: 'cursor',
  code: 'cursor_invalid',
  message: 'cursor must be a next_cursor from an earlier answer.',
} as const;

/** Checks only the format of the cursor. The query of the range checks whether the event belongs to this business. */
function checkCursor(errors: FieldErrors, text: string | undefined): void {
  if (text === undefined || isEventId(text)) return;
  errors.add(CURSOR_ERROR.field, CURSOR_ERROR.code, CURSOR_ERROR.message);
}

/**
 * Sends one delivery again with the same webhook-id. A finished delivery starts a new round of the retry schedule. A pending
 * delivery gets its next attempt at once.
 */
export async function redeliver(
  deps: WebhookDeps,
  request: { readonly caller: BusinessActor; readonly id: string; readonly idempotencyKey: string | null },
): Promise<Result<{ readonly value: Delivery; readonly replayed: boolean }, Refusal>> {
  const { caller, id, idempotencyKey: key } = request;
  const scope = scopeOf(caller);
  const delivery = isId('whd', id) ? await deps.deliveries.find(scope, id) : undefined;
  if (delivery === undefined) return fail(deliveryNotFound());
  const queue = async () => {
    const endpoint = await findEnabledEndpoint(deps, caller, delivery.endpointId);
    if (!endpoint.ok) return endpoint;
    if ((await deps.deliveries.queueAgain([delivery], false, deps.clock.now())) > 0) deps.queued();
    return ok((await deps.deliveries.find(scope, id)) ?? delivery);
  };
  return runIdempotently(deps, { caller, key, fields: ['redeliver', id] }, id, queue, async () =>
    ok(delivery),
  );
}
