// The webhook deliveries of a business, for its members: the sent requests, the received responses, and a route that sends a
// delivery again.
import { Type } from 'typebox';
import { listDeliveries, readDelivery } from '../../../../app/webhooks/list-deliveries.ts';
import { redeliver } from '../../../../app/webhooks/redeliver-range.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { listDeliveriesDocs } from '../../../routes/webhook-docs.ts';
import {
  DeliveryDetailAnswer,
  DeliverySchema as delivery,
  renderAttempt,
  renderDelivery,
} from '../../../routes/webhook-schemas.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';
import { runAsAgent } from './agent.ts';

const TAG = { tag: 'Webhooks' } as const;
const DELIVERY = '/webhooks/:mode/deliveries/:delivery_id';

const { delivery: inApi } = DeliveryDetailAnswer.properties;
const detail = schemas.nameSchema(
  'DeliveryDetail',
  Type.Object({
    ...{
      ...delivery.properties,
      attempts: Type.Array(schemas.nameSchema('DeliveryAttempt', inApi.properties.attempts.items)),
    },
    request: schemas.nullable(
      Type.Object(
        { headers: schemas.textsByName('Headers by name.'), body: Type.String() },
        { description: 'The request without its signature. Null if the event is no longer stored.' },
      ),
    ),
  }),
);

export const webhookDeliveryRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'webhooks.read',
    {
      ...TAG,
      method: 'GET',
      path: '/webhooks/:mode/endpoints/:endpoint_id/deliveries',
      name: 'listWebhookDeliveries',
      summary: 'List the deliveries of an endpoint, newest first',
      query: listDeliveriesDocs.querystring,
      answer: { deliveries: Type.Array(delivery), next_cursor: schemas.nullable(Type.String()) },
      refusals: ['filter_invalid', 'cursor_invalid', 'not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (agent) => listDeliveries(webhooks, agent, call.params.endpoint_id!, call.query),
        ({ deliveries, nextCursor }) => ({
          deliveries: deliveries.map(renderDelivery),
          next_cursor: nextCursor,
        }),
      ),
  ),
  businessRoute(
    'webhooks.read',
    {
      ...TAG,
      method: 'GET',
      path: DELIVERY,
      name: 'getWebhookDelivery',
      summary: 'Read a delivery with its request and its attempts',
      answer: { delivery: detail },
      refusals: ['not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (agent) => readDelivery(webhooks, agent, call.params.delivery_id!),
        ({ delivery: found, attempts, request }) => ({
          delivery: { ...renderDelivery(found), attempts: attempts.map(renderAttempt), request },
        }),
      ),
  ),
  businessRoute(
    'webhooks.manage',
    {
      ...TAG,
      method: 'POST',
      path: `${DELIVERY}/redeliver`,
      name: 'redeliverWebhook',
      summary: 'Send a delivery again, with the same webhook-id',
      answer: { delivery },
      refusals: ['endpoint_disabled', 'not_found'],
    },
    (call, { webhooks }) =>
      runAsAgent(
        call,
        (caller) => redeliver(webhooks, { caller, id: call.params.delivery_id!, idempotencyKey: null }),
        ({ value }) => ({ delivery: renderDelivery(value) }),
      ),
  ),
];
