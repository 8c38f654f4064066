// Converts endpoints and webhook deliveries to rows of PostgreSQL and back.
import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import type { Endpoint } from '../../../domain/webhooks/endpoint.ts';
import {
  all,
  columnFrom,
  defineColumns,
  named,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';

/** A deleted endpoint has no keys. */
export const ENDPOINT_COLUMNS = defineColumns<Endpoint>({
  ...all(plainColumn, 'id', 'businessId', 'mode', 'url', 'events', 'description', 'state', 'disabledReason'),
  publicKey: columnFrom(
    `coalesce((select s.public_key from webhook_secrets s where s.endpoint_id = e.id and s.ends_at is null), '')`,
    plainColumn,
  ),
  ...all(timeColumn, 'failingSinceMs', 'lastSuccessAtMs', 'createdAtMs', 'updatedAtMs'),
});

export const DELIVERY = defineColumns<Delivery>({
  ...all(plainColumn, 'id', 'endpointId', 'eventId', 'eventType', 'state', 'reason'),
  attemptsMade: named('attempts', plainColumn),
  nextAttemptAtMs: columnFrom(`case when d.state = 'pending' then d.due_at end`, timeColumn),
  ...all(timeColumn, 'createdAtMs', 'updatedAtMs'),
});
