// The request and response bodies of the webhook routes, with examples, and the rendering of deliveries.
import { Type } from 'typebox';
import { SUBSCRIPTIONS } from '../../app/webhooks/endpoint-fields.ts';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '../../app/webhooks/rotate-keys.ts';
import { DELIVERY_STATES, type Delivery, type DeliveryAttempt } from '../../domain/webhooks/delivery.ts';

const nullable = <Kind extends 'string' | 'integer'>(type: Kind, description: string, rest: object = {}) =>
  Type.Unsafe<(Kind extends 'integer' ? number : string) | null>({
    type: [type, 'null'],
    description,
    ...rest,
  });
const time = (description: string) => Type.String({ format: 'date-time', description });
const nullableTime = (description: string) => nullable('string', description, { format: 'date-time' });

const eventTypes = `Types of events, or groups: ${SUBSCRIPTIONS.join(', ')}.`;
const eventExamples = { examples: [['transaction.completed', 'refund.completed']] };
const events = Type.Array(Type.String(), {
  description: `${eventTypes} Absent or empty: all events.`,
  ...eventExamples,
});
const url = Type.String({
  description: 'Live mode: https on port 443. Test mode: also http, and ports 80, 443 and 1024 or higher.',
});
const description = Type.String({ description: 'At most 200 characters.', maxLength: 200 });

export const EndpointBody = Type.Object(
  { url, events: Type.Optional(events), description: Type.Optional(description) },
  { title: 'Webhook endpoint' },
);

export const EndpointChangeBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: Type.String(),
        description: `${eventTypes} Null or empty: all events. Absent: no change.`,
        ...eventExamples,
      }),
    ),
    description: Type.Optional(
      nullable('string', 'At most 200 characters. Null or empty: no description. Absent: no change.', {
        maxLength: 200,
      }),
    ),
    state: Type.Optional(Type.String({ enum: ['enabled', 'disabled'] })),
  },
  { title: 'Change of a webhook endpoint' },
);

export const RotateBody = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        description: 'Number of hours during which the old keys sign in addition to the new keys.',
        ...{ minimum: 0, maximum: MAX_OVERLAP_HOURS, default: DEFAULT_OVERLAP_HOURS },
      }),
    ),
  },
  { title: 'Rotation' },
);

export const TestBody = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        description: 'The event type that the test is for; the event repeats it in data.stands_for.',
      }),
    ),
  },
  { title: 'Test event' },
);

const cursor = Type.Optional(Type.String({ description: 'next_cursor from an earlier answer.' }));

export const RangeBody = Type.Object(
  {
    from: time('Events at or after this time.'),
    to: time('Events at or before this time.'),
    events: Type.Optional(events),
    cursor,
  },
  { title: 'Range of events' },
);

export const RecoverBody = Type.Object(
  { since: time('Events at or after this time.'), cursor },
  { title: 'Recovery' },
);

const endpointFields = {
  id: Type.String({ description: 'Starts with whe_.' }),
  url: Type.String(),
  events: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Null: every event.',
  }),
  description: nullable('string', 'Your own description.'),
  mode: Type.String({ enum: ['live', 'test'] }),
  state: Type.String({ enum: ['enabled', 'disabled'] }),
  disabled_reason: nullable(
    'string',
    'gone: the endpoint answered 410. failing: all attempts failed for five days. requested: you disabled it.',
  ),
  public_key: Type.String({ description: 'Starts with whpk_; verifies the v1a signatures.' }),
  failing_since: nullableTime('The time since which all attempts have failed; null after a success.'),
  last_success_at: nullableTime('The last successful delivery, accurate to the minute.'),
  created_at: time('When the endpoint was created.'),
  updated_at: time('When the endpoint was last changed.'),
};

export const EndpointSchema = Type.Object(endpointFields, {
  $id: 'WebhookEndpoint',
  title: 'Webhook endpoint',
});

const secret = nullable(
  'string',
  'Starts with whsec_; verifies the v1 signatures. Shown only in this answer; null in the answer to a repeated request after a rotation.',
);

const answerFields = { status: Type.String({ enum: ['success'] }), message: Type.String() };
export const EndpointAnswer = Type.Object({ ...answerFields, endpoint: Type.Ref('WebhookEndpoint') });
export const EndpointWithSecretAnswer = Type.Object({
  ...answerFields,
  endpoint: Type.Object({ ...endpointFields, secret }),
});
export const EndpointListAnswer = Type.Object({
  ...answerFields,
  endpoints: Type.Array(Type.Ref('WebhookEndpoint')),
});
export const DoneAnswer = Type.Object(answerFields);

const deliveryFields = {
  id: Type.String({ description: 'Starts with whd_.' }),
  endpoint_id: Type.String(),
  event_id: Type.String({ description: 'The id of the event; also the webhook-id of every attempt.' }),
  event_type: Type.String(),
  state: Type.String({ enum: [...DELIVERY_STATES] }),
  reason: nullable(
    'string',
    'Why the delivery failed: attempts_used, gone, address_refused, endpoint_disabled or endpoint_deleted.',
  ),
  attempts_made: Type.Integer({
    description: 'Number of attempts, including attempts with an unknown outcome.',
  }),
  next_attempt_at: nullableTime('Null after the delivery has succeeded or failed.'),
  created_at: time('When the delivery was first queued.'),
  updated_at: time('When the delivery last changed.'),
};

export const DeliverySchema = Type.Object(deliveryFields, {
  $id: 'WebhookDelivery',
  title: 'Webhook delivery',
});

export const DeliveryAnswer = Type.Object({ ...answerFields, delivery: Type.Ref('WebhookDelivery') });
const next_cursor = nullable('string', 'Send it as cursor to continue; null at the end.');
export const DeliveryListAnswer = Type.Object({
  ...answerFields,
  deliveries: Type.Array(Type.Ref('WebhookDelivery')),
  next_cursor,
});
export const QueuedAnswer = Type.Object({
  ...answerFields,
  queued: Type.Integer({
    description: 'Number of deliveries that were queued. Deliveries that were already pending do not count.',
  }),
  next_cursor,
});

const Attempt = Type.Object({
  no: Type.Integer({
    description: 'Number of the attempt. A missing number is an attempt with an unknown outcome.',
  }),
  at: time('When the attempt started.'),
  duration_ms: Type.Integer(),
  status: nullable('integer', 'HTTP status of the answer; null without an answer.'),
  outcome: Type.String({
    description:
      'succeeded; answered (with a status other than 2xx); address_refused; timeout, connection, tls, dns, answer_too_large, protocol; keys_unreadable.',
  }),
  error: nullable('string', 'The error if there was no answer.'),
  answer: nullable('string', 'The first 4 kB of the answer, without secrets.'),
});

export const DeliveryDetailAnswer = Type.Object({
  ...answerFields,
  delivery: Type.Object({
    ...deliveryFields,
    attempts: Type.Array(Attempt),
    request: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'The request without its signature. webhook-timestamp is the time of the last attempt.',
      properties: { headers: { type: 'object' }, body: { type: 'string' } },
    }),
  }),
});

export function renderDelivery(delivery: Delivery) {
  const { nextAttemptAtMs } = delivery;
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    state: delivery.state,
    reason: delivery.reason,
    attempts_made: delivery.attemptsMade,
    next_attempt_at: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
    created_at: new Date(delivery.createdAtMs).toISOString(),
    updated_at: new Date(delivery.updatedAtMs).toISOString(),
  };
}

export function renderAttempt({ no, atMs, durationMs, status, outcome, error, answer }: DeliveryAttempt) {
  return {
    no,
    at: new Date(atMs).toISOString(),
    duration_ms: durationMs,
    status,
    outcome,
    error,
    answer,
  };
}
