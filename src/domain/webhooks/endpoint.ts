// A webhook endpoint: a URL of a business that receives its events. This file decides which events an endpoint gets, when it has
// failed for too long, and what the members of the business may see.
import { type BusinessEvent, isSubscribedTo } from '../events/event.ts';
import type { Mode } from '../values/mode.ts';

/** `gone`: it returned 410. `failing`: every attempt has failed for days. `requested`: the business disabled it. */
export type DisabledReason = 'gone' | 'failing' | 'requested';

export interface Endpoint {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly url: string;
  /** Null: every event. */
  readonly events: readonly string[] | null;
  readonly description: string | null;
  readonly state: 'enabled' | 'disabled';
  /** Null while the endpoint is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly publicKey: string;
  /** Since this time every attempt has failed; null after a success. */
  readonly failingSinceMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The fields that decide whether an endpoint receives an event. */
export type EndpointSubscription = Pick<Endpoint, 'id' | 'businessId' | 'mode' | 'events'>;

export const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;

/** An event for one endpoint goes only to that endpoint, whatever it subscribed to. */
export function wantsEvent(endpoint: EndpointSubscription, event: BusinessEvent): boolean {
  if (endpoint.businessId !== event.businessId || endpoint.mode !== event.mode) return false;
  if (event.kind === 'account' && event.endpointId !== null) return event.endpointId === endpoint.id;
  return isSubscribedTo(endpoint.events, event.type);
}

export function hasFailedTooLong(failingSinceMs: number | null, nowMs: number): boolean {
  return failingSinceMs !== null && nowMs - failingSinceMs >= DISABLED_AFTER_MS;
}

/** An endpoint in the form of the API, for responses and for the event about its disabling. It contains no secret. */
export function showEndpoint(endpoint: Endpoint) {
  const time = (ms: number) => new Date(ms).toISOString();
  const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description,
    mode: endpoint.mode,
    state: endpoint.state,
    disabled_reason: endpoint.disabledReason,
    public_key: endpoint.publicKey,
    failing_since: timeOrNull(endpoint.failingSinceMs),
    last_success_at: timeOrNull(endpoint.lastSuccessAtMs),
    created_at: time(endpoint.createdAtMs),
    updated_at: time(endpoint.updatedAtMs),
  };
}
