// Endpoints and deliveries as rows of PostgreSQL.
import type { EventType } from '../../../domain/events/event.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { Delivery, DeliveryFailure, DeliveryState } from '../../../domain/webhooks/delivery.ts';
import type { DisabledReason, Endpoint } from '../../../domain/webhooks/endpoint.ts';

/** Of a table that is called `e`. A deleted endpoint has no keys. */
export const ENDPOINT_COLUMNS = `e.*, coalesce((select s.public_key from webhook_secrets s
  where s.endpoint_id = e.id and s.ends_at is null), '') as public_key`;

export interface EndpointRow {
  id: string;
  business_id: string;
  mode: Mode;
  url: string;
  events: string[] | null;
  description: string | null;
  state: Endpoint['state'];
  disabled_reason: DisabledReason | null;
  public_key: string;
  failing_since: Date | null;
  last_success_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    businessId: row.business_id,
    mode: row.mode,
    url: row.url,
    events: row.events,
    description: row.description,
    state: row.state,
    disabledReason: row.disabled_reason,
    publicKey: row.public_key,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    lastSuccessAtMs: row.last_success_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

export interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: EventType;
  state: DeliveryState;
  reason: DeliveryFailure | null;
  attempts: number;
  due_at: Date;
  created_at: Date;
  updated_at: Date;
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    state: row.state,
    reason: row.reason,
    attemptsMade: row.attempts,
    nextAttemptAtMs: row.state === 'pending' ? row.due_at.getTime() : null,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}
