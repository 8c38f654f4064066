// The webhook endpoints of a business, for its members. The use-cases and rules are those of the API. A secret is shown only in
// the response to the request that creates it.
import { Type } from 'typebox';
import { scopeOf } from '../../../../app/input/caller.ts';
import { addEndpoint } from '../../../../app/webhooks/add-endpoint.ts';
import { changeEndpoint, removeEndpoint } from '../../../../app/webhooks/change-endpoint.ts';
import { SUBSCRIPTIONS } from '../../../../app/webhooks/endpoint-fields.ts';
import { recoverFailedDeliveries, redeliverRange } from '../../../../app/webhooks/redeliver-range.ts';
import { rotateKeys } from '../../../../app/webhooks/rotate-keys.ts';
import { sendTestEvent } from '../../../../app/webhooks/send-test-event.ts';
import { findEndpoint } from '../../../../app/webhooks/webhook-deps.ts';
import { ok } from '../../../../domain/values/result.ts';
import { type Endpoint, showEndpoint } from '../../../../domain/webhooks/endpoint.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import {
  DeliverySchema as delivery,
  EndpointSchema,
  renderDelivery,
} from '../../../routes/webhook-schemas.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';
import { runAsAgent } from './agent.ts';

const TAG = { tag: 'Webhooks' } as const;
const ENDPOINTS = '/webhooks/:mode/endpoints';
const ENDPOINT = `${ENDPOINTS}/:endpoint_id`;
const endpoint = schemas.nameSchema(
  'WebhookEndpoint',
  Type.Object({
    ...{ ...EndpointSchema.properties, mode: schemas.mode, state: schemas.oneOf(['enabled', 'disabled']) },
    disabled_reason: schemas.nullable(
      schemas.oneOf(['gone', 'failing', 'requested'], {
        description:
          'gone: the endpoint answered 410. failing: all attempts failed for five days. requested: you disabled it.',
      }),
    ),
  }),
);
const secret = Type.String({ description: 'Shown only in this answer.' });
const queued = { queued: Type.Integer(), next_cursor: schemas.nullable(Type.String()) };
const FIELD_REFUSALS = ['url_invalid', 'event_type_unknown', 'text_invalid', 'too_long'] as const;
const RANGE_REFUSALS = ['filter_invalid', 'cursor_invalid', 'endpoint_disabled', 'not_found'] as const;

const url = Type.String({ minLength: 1, maxLength: 2_000, description: 'where webhooks are sent to.' });
const events = Type.Array(Type.String({ maxLength: 100 }), {
  description: 'types of events; an empty list means every event.',
});
const description = Type.String({ maxLength: 500, description: 'at most 200 characters.' });
const time = Type.String({ maxLength: 40, description: 'a time such as 2026-11-14T09:30:00Z.' });
const cursor = Type.Optional(
  Type.String({ maxLength: 100, description: 'next_cursor from an earlier answer.' }),
);

/**
 * The service stores no Idempotency-Key for these requests, because the response to a repeated request would lack the secret.
 */
const withSecret = (made: { readonly endpoint: Endpoint; readonly secret: string | null }) => ({
  endpoint: showEndpoint(made.endpoint),
  secret: made.secret!,
});
const noKey = { idempotencyKey: null } as const;

const endpointRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'webhooks.read',
    {
      ...TAG,
      method: 'GET',
      path: ENDPOINTS,
      name: 'listWebhookEndpoints',
      summary: 'List the webhook endpoints of one mode, and the event types for subscriptions',
      answer: { endpoints: Type.Array(endpoint), event_types: Type.Array(Type.String()) },
      refusals: ['not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        async (agent) => ok(await webhooks.endpoints.list(scopeOf(agent))),
        (listed) => ({ endpoints: listed.map(showEndpoint), event_types: SUBSCRIPTIONS }),
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'POST',
      path: ENDPOINTS,
      name: 'addWebhookEndpoint',
      summary: 'Add a webhook endpoint; only this answer contains its secret',
      body: Type.Object({ url, events: Type.Optional(events), description: Type.Optional(description) }),
      answer: { endpoint, secret },
      refusals: [...FIELD_REFUSALS, 'endpoint_limit_reached', 'not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(call, (caller) => addEndpoint(webhooks, { caller, body: call.body, ...noKey }), withSecret),
  ),
  businessRoute(
    'webhooks.read',
    {
      ...TAG,
      method: 'GET',
      path: ENDPOINT,
      name: 'getWebhookEndpoint',
      summary: 'Read a webhook endpoint',
      answer: { endpoint },
      refusals: ['not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (agent) => findEndpoint(webhooks, agent, call.params.endpoint_id!),
        (found) => ({ endpoint: showEndpoint(found) }),
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'PUT',
      path: ENDPOINT,
      name: 'changeWebhookEndpoint',
      summary: 'Change the given fields of a webhook endpoint',
      body: Type.Object({
        url: Type.Optional(url),
        events: Type.Optional(events),
        description: Type.Optional(description),
        state: Type.Optional(Type.String({ maxLength: 20, description: 'enabled or disabled.' })),
      }),
      answer: { endpoint },
      refusals: [...FIELD_REFUSALS, 'state_invalid', 'not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (caller) => changeEndpoint(webhooks, { caller, id: call.params.endpoint_id!, body: call.body }),
        (changed) => ({ endpoint: showEndpoint(changed) }),
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'DELETE',
      path: ENDPOINT,
      name: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint; its pending deliveries are not sent',
      answer: {},
      refusals: ['not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (agent) => removeEndpoint(webhooks, agent, call.params.endpoint_id!),
        () => ({}),
      ),
  ),
];

const endpointActionRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'POST',
      path: `${ENDPOINT}/rotate`,
      name: 'rotateWebhookKeys',
      summary: 'Rotate the secret and the signing key; the old keys also sign during the overlap',
      body: Type.Object({ overlap_hours: Type.Optional(Type.Integer({ description: 'hours.' })) }),
      answer: { endpoint, secret },
      refusals: ['overlap_invalid', 'not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (caller) =>
          rotateKeys(webhooks, {
            ...{ caller, id: call.params.endpoint_id!, ...noKey },
            overlapHours: call.body.overlap_hours,
          }),
        withSecret,
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'POST',
      path: `${ENDPOINT}/test`,
      name: 'testWebhookEndpoint',
      summary: 'Send a test event to the endpoint',
      body: Type.Object({
        type: Type.Optional(
          Type.String({ maxLength: 100, description: 'the event type that the test event stands for.' }),
        ),
      }),
      answer: { delivery },
      refusals: ['event_type_unknown', 'endpoint_disabled', 'not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (caller) =>
          sendTestEvent(webhooks, {
            ...{ caller, id: call.params.endpoint_id!, ...noKey },
            standsFor: call.body.type,
          }),
        (sent) => ({ delivery: renderDelivery(sent.delivery) }),
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'POST',
      path: `${ENDPOINT}/redeliver`,
      name: 'redeliverWebhookRange',
      summary: 'Send all events of a time range again, including delivered events',
      body: Type.Object({ from: time, to: time, events: Type.Optional(events), cursor }),
      answer: queued,
      refusals: [...RANGE_REFUSALS, 'event_type_unknown', 'too_long'],
    },
    (call, { webhooks, oneRangeAtATime }) =>
      runAsAgent(
        call,
        (caller) =>
          oneRangeAtATime(call.businessId, () =>
            redeliverRange(webhooks, { caller, id: call.params.endpoint_id!, ...noKey }, call.body),
          ),
        ({ value }) => ({ queued: value.queued, next_cursor: value.nextCursor }),
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'POST',
      path: `${ENDPOINT}/recover`,
      name: 'recoverWebhooks',
      summary: 'Send again the events that failed since a given time or were never queued',
      body: Type.Object({ since: time, cursor }),
      answer: queued,
      refusals: RANGE_REFUSALS,
    },
    (call, { webhooks, oneRangeAtATime }) =>
      runAsAgent(
        call,
        (caller) =>
          oneRangeAtATime(call.businessId, () =>
            recoverFailedDeliveries(webhooks, { caller, id: call.params.endpoint_id!, ...noKey }, call.body),
          ),
        ({ value }) => ({ queued: value.queued, next_cursor: value.nextCursor }),
      ),
  ),
];

export const webhookEndpointRoutes: readonly ConsoleRoute[] = [...endpointRoutes, ...endpointActionRoutes];
