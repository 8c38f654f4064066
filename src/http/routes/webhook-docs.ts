// The documentation of the webhook routes in the OpenAPI document.
import { Type } from 'typebox';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../app/input/list-query.ts';
import type { RefusalCode } from '../../domain/values/refusals.ts';
import { DELIVERY_STATES } from '../../domain/webhooks/delivery.ts';
import {
  BODY_ERRORS,
  CHANGE_ERRORS,
  errorAnswers,
  IdempotencyHeaders,
  jsonAnswer,
  KEY_ERRORS,
  REPLAYED_HEADER,
  TAGS,
  WITH_KEY,
} from '../reference/route-docs.ts';
import {
  DELIVERY_DETAIL_EXAMPLE,
  DELIVERY_EXAMPLE,
  ENDPOINT_EXAMPLE,
  PENDING_DELIVERY_EXAMPLE,
  SECRET_EXAMPLE,
} from './webhook-examples.ts';
import * as schemas from './webhook-schemas.ts';

const common = { tags: [TAGS.webhooks], security: WITH_KEY };
const endpointParams = Type.Object({ endpoint_id: Type.String({ description: 'The whe_… id.' }) });
const deliveryParams = Type.Object({ delivery_id: Type.String({ description: 'The whd_… id.' }) });
const success = (message: string, rest: object) => ({ status: 'success', message, ...rest });
const FIELD_ERRORS = ['url_invalid', 'event_type_unknown', 'text_invalid', 'too_long'] as const;
const KEY_USE = ['idempotency_key_reused', 'idempotency_key_invalid'] as const;
const WITH_BODY: readonly RefusalCode[] = [...BODY_ERRORS, ...CHANGE_ERRORS];
/** The errors of routes whose body fields are all optional. */
const WITH_OPTIONAL_FIELDS = WITH_BODY.filter((code) => code !== 'required');

export const addEndpointDocs = {
  ...common,
  operationId: 'addWebhookEndpoint',
  summary: 'Add a webhook endpoint',
  description:
    'New events are sent to the URL. A delivery succeeds when the URL answers with 2xx; all attempts for an event have the same webhook-id. Only this answer contains the secret.',
  headers: IdempotencyHeaders,
  body: {
    ...schemas.EndpointBody,
    examples: [
      {
        url: ENDPOINT_EXAMPLE.url,
        events: ENDPOINT_EXAMPLE.events,
        description: ENDPOINT_EXAMPLE.description,
      },
    ],
  },
  response: {
    200: jsonAnswer(
      'The endpoint, with its secret.',
      schemas.EndpointWithSecretAnswer,
      success('Webhook endpoint added. Keep the secret: it is not shown again.', {
        endpoint: { ...ENDPOINT_EXAMPLE, last_success_at: null, secret: SECRET_EXAMPLE },
      }),
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...WITH_BODY,
      ...FIELD_ERRORS,
      'endpoint_limit_reached',
      'endpoint_not_found',
      ...KEY_USE,
    ),
  },
};

export const listEndpointsDocs = {
  ...common,
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  description: 'All endpoints of your business in the mode of the key, oldest first, without their secrets.',
  response: {
    200: jsonAnswer(
      'The endpoints.',
      schemas.EndpointListAnswer,
      success('Webhook endpoints.', { endpoints: [ENDPOINT_EXAMPLE] }),
    ),
    ...errorAnswers(...KEY_ERRORS),
  },
};

export const readEndpointDocs = {
  ...common,
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  params: endpointParams,
  response: {
    200: jsonAnswer(
      'The endpoint.',
      schemas.EndpointAnswer,
      success('Webhook endpoint found.', { endpoint: ENDPOINT_EXAMPLE }),
    ),
    ...errorAnswers(...KEY_ERRORS, 'endpoint_not_found'),
  },
};

export const changeEndpointDocs = {
  ...common,
  operationId: 'changeWebhookEndpoint',
  summary: 'Change a webhook endpoint',
  description:
    'Only the fields that you send are changed. A disabled endpoint receives nothing; its pending deliveries fail with reason endpoint_disabled, and a recover request queues them again.',
  params: endpointParams,
  body: { ...schemas.EndpointChangeBody, examples: [{ state: 'enabled' }] },
  response: {
    200: jsonAnswer(
      'The changed endpoint.',
      schemas.EndpointAnswer,
      success('Webhook endpoint changed.', { endpoint: ENDPOINT_EXAMPLE }),
    ),
    ...errorAnswers(...WITH_OPTIONAL_FIELDS, ...FIELD_ERRORS, 'state_invalid', 'endpoint_not_found'),
  },
};

export const removeEndpointDocs = {
  ...common,
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'The endpoint receives no more events, and its deliveries can no longer be read.',
  params: endpointParams,
  response: {
    200: jsonAnswer('The endpoint is deleted.', schemas.DoneAnswer, success('Webhook endpoint deleted.', {})),
    ...errorAnswers(...CHANGE_ERRORS, 'endpoint_not_found'),
  },
};

export const rotateKeysDocs = {
  ...common,
  operationId: 'rotateWebhookKeys',
  summary: 'Rotate the secret and the signing key',
  description: 'During the overlap every webhook has the signatures of the old and the new keys.',
  headers: IdempotencyHeaders,
  params: endpointParams,
  body: { ...schemas.RotateBody, examples: [{ overlap_hours: 24 }] },
  response: {
    200: jsonAnswer(
      'The endpoint, with its new secret.',
      schemas.EndpointWithSecretAnswer,
      success('The new key signs all deliveries from now on. Save its secret now: it is not shown again.', {
        endpoint: { ...ENDPOINT_EXAMPLE, secret: SECRET_EXAMPLE },
      }),
    ),
    ...errorAnswers(...KEY_USE, ...WITH_OPTIONAL_FIELDS, 'overlap_invalid', 'endpoint_not_found'),
  },
};

export const testEndpointDocs = {
  ...common,
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event',
  description:
    'Sends a webhook.test event to this endpoint only. A test event is never about a transaction, because its signature is valid and a receiver could otherwise act on it.',
  headers: IdempotencyHeaders,
  params: endpointParams,
  body: { ...schemas.TestBody, examples: [{ type: 'transaction.completed' }] },
  response: {
    200: jsonAnswer(
      'The delivery of the test event.',
      schemas.DeliveryAnswer,
      success('Test event queued.', {
        delivery: { ...PENDING_DELIVERY_EXAMPLE, event_type: 'webhook.test' },
      }),
    ),
    ...errorAnswers(
      ...KEY_USE,
      ...WITH_OPTIONAL_FIELDS,
      'event_type_unknown',
      'endpoint_not_found',
      'endpoint_disabled',
    ),
  },
};

const filterTime = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const listDeliveriesDocs = {
  ...common,
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of an endpoint',
  description: 'Newest first.',
  params: endpointParams,
  querystring: Type.Object({
    state: Type.Optional(Type.String({ enum: [...DELIVERY_STATES] })),
    event_id: Type.Optional(Type.String({ description: 'Only the delivery of this event.' })),
    from: filterTime('Queued at or after this time.'),
    to: filterTime('Queued at or before this time.'),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  }),
  response: {
    200: jsonAnswer(
      'One page of deliveries.',
      schemas.DeliveryListAnswer,
      success('Deliveries, newest first.', { deliveries: [DELIVERY_EXAMPLE], next_cursor: null }),
    ),
    ...errorAnswers(...KEY_ERRORS, 'filter_invalid', 'cursor_invalid', 'endpoint_not_found'),
  },
};

const QUEUED = success('Deliveries queued.', { queued: 12, next_cursor: null });

export const redeliverRangeDocs = {
  ...common,
  operationId: 'redeliverWebhookRange',
  summary: 'Send all events of a range again',
  description:
    'Includes events that were already delivered. Each event keeps its webhook-id. Pending deliveries are not changed, so you can repeat the request.',
  headers: IdempotencyHeaders,
  params: endpointParams,
  body: {
    ...schemas.RangeBody,
    examples: [{ from: '2026-11-14T09:00:00Z', to: '2026-11-14T10:00:00Z' }],
  },
  response: {
    200: jsonAnswer('How many were queued.', schemas.QueuedAnswer, QUEUED),
    ...errorAnswers(
      ...KEY_USE,
      ...WITH_BODY,
      ...(['filter_invalid', 'event_type_unknown', 'too_long', 'cursor_invalid'] as const),
      ...(['endpoint_not_found', 'endpoint_disabled'] as const),
    ),
  },
};

export const recoverDeliveriesDocs = {
  ...common,
  operationId: 'recoverWebhooks',
  summary: 'Send failed events again since a time',
  description: 'Includes events that were never queued because the endpoint was disabled.',
  headers: IdempotencyHeaders,
  params: endpointParams,
  body: { ...schemas.RecoverBody, examples: [{ since: '2026-11-14T09:00:00Z' }] },
  response: {
    200: jsonAnswer('How many were queued.', schemas.QueuedAnswer, QUEUED),
    ...errorAnswers(
      ...KEY_USE,
      ...WITH_BODY,
      ...(['filter_invalid', 'cursor_invalid', 'endpoint_not_found', 'endpoint_disabled'] as const),
    ),
  },
};

export const readDeliveryDocs = {
  ...common,
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery with its attempts and its request',
  params: deliveryParams,
  response: {
    200: jsonAnswer(
      'The delivery.',
      schemas.DeliveryDetailAnswer,
      success('Delivery found.', { delivery: DELIVERY_DETAIL_EXAMPLE }),
    ),
    ...errorAnswers(...KEY_ERRORS, 'delivery_not_found'),
  },
};

export const redeliverOneDocs = {
  ...common,
  operationId: 'redeliverWebhook',
  summary: 'Send a delivery again',
  description:
    'Starts a new round of attempts with the same webhook-id for a delivered or failed delivery. A pending delivery is not changed.',
  headers: IdempotencyHeaders,
  params: deliveryParams,
  response: {
    200: jsonAnswer(
      'The delivery.',
      schemas.DeliveryAnswer,
      success('Delivery queued.', { delivery: PENDING_DELIVERY_EXAMPLE }),
    ),
    ...errorAnswers(
      ...KEY_USE,
      ...CHANGE_ERRORS,
      'invalid_json',
      'body_too_large',
      'unsupported_media_type',
      'delivery_not_found',
      'endpoint_not_found',
      'endpoint_disabled',
    ),
  },
};
