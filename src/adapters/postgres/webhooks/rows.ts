// Endpoints and deliveries as rows of PostgreSQL.
import type { EventType } from '../../../domain/events/event.ts';
import type { Delivery, DeliveryFailure, DeliveryState } from '../../../domain/webhooks/delivery.ts';
import type { Endpoint } from '../../../domain/webhooks/endpoint.ts';
import { columns, from, plain, time } from '../connection/columns.ts';

/** Of a table that is called `e`. A deleted endpoint has no keys. */
export const ENDPOINT = columns<Endpoint>({
  id: plain,
  businessId: plain,
  mode: plain,
  url: plain,
  events: plain,
  description: plain,
  state: plain,
  disabledReason: plain,
  publicKey: from(
    `coalesce((select s.public_key from webhook_secrets s where s.endpoint_id = e.id and s.ends_at is null), '')`,
    plain,
  ),
  failingSinceMs: time,
  lastSuccessAtMs: time,
  createdAtMs: time,
  updatedAtMs: time,
});

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
