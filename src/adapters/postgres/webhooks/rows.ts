// Endpoints and deliveries as rows of PostgreSQL.
import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import type { Endpoint } from '../../../domain/webhooks/endpoint.ts';
import { all, columns, from, named, plain, time } from '../connection/columns.ts';

/** Of a table that is called `e`. A deleted endpoint has no keys. */
export const ENDPOINT = columns<Endpoint>({
  ...all(plain, 'id', 'businessId', 'mode', 'url', 'events', 'description', 'state', 'disabledReason'),
  publicKey: from(
    `coalesce((select s.public_key from webhook_secrets s where s.endpoint_id = e.id and s.ends_at is null), '')`,
    plain,
  ),
  ...all(time, 'failingSinceMs', 'lastSuccessAtMs', 'createdAtMs', 'updatedAtMs'),
});

/** Of a table that is called `d`. */
export const DELIVERY = columns<Delivery>({
  ...all(plain, 'id', 'endpointId', 'eventId', 'eventType', 'state', 'reason'),
  attemptsMade: named('attempts', plain),
  nextAttemptAtMs: from(`case when d.state = 'pending' then d.due_at end`, time),
  ...all(time, 'createdAtMs', 'updatedAtMs'),
});
