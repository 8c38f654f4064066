// A webhook endpoint is a URL of a business that receives its events. This file decides which events an endpoint gets, after
// how many days of failures it is disabled, and what members of the business may see.
import { type BusinessEvent, isSubscribedTo } from '../events/event.ts';
import type { Mode } from '../values/mode.ts';

/**
 * `gone`: the endpoint returned 410. `failing`: every attempt has failed for several days. `requested`: the business disabled
 * the endpoint.
 */
export type DisabledReason = 'gone' | 'failing' | 'requested';

export interface Endpoint {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly url: string;
  /** Null if the endpoint receives every event. */
  readonly events: readonly string[] | null;
  readonly description: string | null;
  readonly state: 'enabled' | 'disabled';
  /** Null while the endpoint is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly publicKey: string;
  /** Every attempt since this time has failed; null after a success. */
  readonly failingSinceMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The fields that decide whether an endpoint receives an event. */
export type EndpointSubscription = Pick<Endpoint, 'id' | 'businessId' | 'mode' | 'events'>;

export const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;

/** An event that is meant for one endpoint goes only to that endpoint, even if the endpoint did not subscribe to it. */
export function wantsEvent(endpoint: EndpointSubscription, event: BusinessEvent): boolean {
  if (endpoint.businessId !== event.businessId || endpoint.mode !== event.mode) return false;
  if (event.kind === 'account' && event.endpointId !== null) return event.endpointId === endpoint.id;
  return isSubscribedTo(endpoint.events, event.type);
}

export function hasFailedTooLong(failingSinceMs: number | null, nowMs: number): boolean {
  return failingSinceMs !== null && nowMs - failingSinceMs >= DISABLED_AFTER_MS;
}

/**
 * Shows an endpoint in the form of the API, for responses and for the event about a disabled endpoint. The result contains no
 * secret.
 */
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
