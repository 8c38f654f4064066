// The webhook routes. Each route parses its request, calls one use-case and renders the response.
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { Static } from 'typebox';
import { addEndpoint } from '../../app/webhooks/add-endpoint.ts';
import { changeEndpoint, removeEndpoint } from '../../app/webhooks/change-endpoint.ts';
import { listDeliveries, readDelivery } from '../../app/webhooks/list-deliveries.ts';
import {
  type QueuedDeliveries,
  recoverFailedDeliveries,
  redeliver,
  redeliverRange,
} from '../../app/webhooks/redeliver-range.ts';
import { rotateKeys } from '../../app/webhooks/rotate-keys.ts';
import { sendTestEvent } from '../../app/webhooks/send-test-event.ts';
import { findEndpoint, type WebhookDeps } from '../../app/webhooks/webhook-deps.ts';
import { showEndpoint } from '../../domain/webhooks/endpoint.ts';
import { makeOneRangeAtATime } from '../admission/work-turns.ts';
import { sendRefusal } from '../errors.ts';
import { callerOf, idempotencyKeyOf } from '../requests/request-context.ts';
import * as docs from './webhook-docs.ts';
import {
  type EndpointBody,
  type EndpointChangeBody,
  type RangeBody,
  type RecoverBody,
  type RotateBody,
  renderAttempt,
  renderDelivery,
  type TestBody,
} from './webhook-schemas.ts';

export interface WebhookRouteDeps extends WebhookDeps {
  readonly authenticate: onRequestHookHandler;
}

const ENDPOINTS = '/webhooks/v1/endpoints';
const ENDPOINT = `${ENDPOINTS}/:endpoint_id`;
const DELIVERY = '/webhooks/v1/deliveries/:delivery_id';

interface EndpointRoute {
  Params: { endpoint_id: string };
}
interface DeliveryRoute {
  Params: { delivery_id: string };
}

export function addWebhookRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  addEndpointRoutes(app, deps);
  addEndpointActions(app, deps);
  addDeliveryRoutes(app, deps);
  addRedeliveryRoutes(app, deps);
}

function successBody(message: string, rest: object): object {
  return { status: 'success', message, ...rest };
}

const REPLAYED = ['idempotent-replayed', 'true'] as const;

function endpointRequestOf(request: FastifyRequest<EndpointRoute>, idempotencyKey: string | null) {
  return { caller: callerOf(request), id: request.params.endpoint_id, idempotencyKey };
}

/** This hook is for routes whose body has only optional fields, so that a request may have no body. */
const bodyMayBeAbsent: preValidationHookHandler = (request: FastifyRequest, _reply, done) => {
  request.body ??= {};
  done();
};

function addEndpointRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { authenticate: onRequest } = deps;
  app.post<{ Body: Static<typeof EndpointBody> }>(
    ENDPOINTS,
    { onRequest, schema: docs.addEndpointDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const caller = callerOf(request);
      const result = await addEndpoint(deps, { caller, body: request.body, idempotencyKey: key.value });
      if (!result.ok) return sendRefusal(reply, result.error);
      const { endpoint, secret, replayed } = result.value;
      if (replayed) reply.header(...REPLAYED);
      return successBody('Webhook endpoint added. Keep the secret: it is not shown again.', {
        endpoint: { ...showEndpoint(endpoint), secret },
      });
    },
  );
  app.get(ENDPOINTS, { onRequest, schema: docs.listEndpointsDocs }, async (request) => {
    const { business, mode } = callerOf(request).key;
    const endpoints = await deps.endpoints.list({ businessId: business.id, mode });
    const message = endpoints.length === 0 ? 'No webhook endpoints yet.' : 'Webhook endpoints.';
    return successBody(message, { endpoints: endpoints.map(showEndpoint) });
  });
  app.get<EndpointRoute>(ENDPOINT, { onRequest, schema: docs.readEndpointDocs }, async (request, reply) => {
    const found = await findEndpoint(deps, callerOf(request), request.params.endpoint_id);
    if (!found.ok) return sendRefusal(reply, found.error);
    return successBody('Webhook endpoint found.', { endpoint: showEndpoint(found.value) });
  });
  app.patch<EndpointRoute & { Body: Static<typeof EndpointChangeBody> }>(
    ENDPOINT,
    { onRequest, schema: docs.changeEndpointDocs },
    async (request, reply) => {
      const { endpoint_id: id } = request.params;
      const changed = await changeEndpoint(deps, { caller: callerOf(request), id, body: request.body });
      if (!changed.ok) return sendRefusal(reply, changed.error);
      return successBody('Webhook endpoint changed.', { endpoint: showEndpoint(changed.value) });
    },
  );
  app.delete<EndpointRoute>(
    ENDPOINT,
    { onRequest, schema: docs.removeEndpointDocs },
    async (request, reply) => {
      const removed = await removeEndpoint(deps, callerOf(request), request.params.endpoint_id);
      if (!removed.ok) return sendRefusal(reply, removed.error);
      return successBody('Webhook endpoint deleted.', {});
    },
  );
}

function addEndpointActions(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { authenticate: onRequest } = deps;
  app.post<EndpointRoute & { Body: Static<typeof RotateBody> }>(
    `${ENDPOINT}/rotate`,
    { onRequest, preValidation: bodyMayBeAbsent, schema: docs.rotateKeysDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const rotated = await rotateKeys(deps, {
        ...endpointRequestOf(request, key.value),
        overlapHours: request.body.overlap_hours,
      });
      if (!rotated.ok) return sendRefusal(reply, rotated.error);
      const { endpoint, secret, replayed } = rotated.value;
      if (replayed) reply.header(...REPLAYED);
      return successBody(
        'The new key signs all deliveries from now on. Save its secret now: it is not shown again.',
        {
          endpoint: { ...showEndpoint(endpoint), secret },
        },
      );
    },
  );
  app.post<EndpointRoute & { Body: Static<typeof TestBody> }>(
    `${ENDPOINT}/test`,
    { onRequest, preValidation: bodyMayBeAbsent, schema: docs.testEndpointDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const sent = await sendTestEvent(deps, {
        ...endpointRequestOf(request, key.value),
        standsFor: request.body.type,
      });
      if (!sent.ok) return sendRefusal(reply, sent.error);
      if (sent.value.replayed) reply.header(...REPLAYED);
      return successBody('Test event queued.', { delivery: renderDelivery(sent.value.delivery) });
    },
  );
}

function addDeliveryRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { authenticate: onRequest } = deps;
  app.get<EndpointRoute & { Querystring: Record<string, unknown> }>(
    `${ENDPOINT}/deliveries`,
    { onRequest, schema: docs.listDeliveriesDocs },
    async (request, reply) => {
      const { params, query } = request;
      const page = await listDeliveries(deps, callerOf(request), params.endpoint_id, query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { deliveries, nextCursor } = page.value;
      const message = deliveries.length === 0 ? 'No deliveries.' : 'Deliveries, newest first.';
      return successBody(message, { deliveries: deliveries.map(renderDelivery), next_cursor: nextCursor });
    },
  );
  app.get<DeliveryRoute>(DELIVERY, { onRequest, schema: docs.readDeliveryDocs }, async (request, reply) => {
    const found = await readDelivery(deps, callerOf(request), request.params.delivery_id);
    if (!found.ok) return sendRefusal(reply, found.error);
    const { delivery, attempts, request: sent } = found.value;
    return successBody('Delivery found.', {
      delivery: { ...renderDelivery(delivery), attempts: attempts.map(renderAttempt), request: sent },
    });
  });
}

function queuedAnswer({ queued, nextCursor }: QueuedDeliveries): object {
  return successBody('Deliveries queued.', { queued, next_cursor: nextCursor });
}

function addRedeliveryRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { authenticate: onRequest } = deps;
  const alone = makeOneRangeAtATime();
  const businessOf = (request: FastifyRequest) => callerOf(request).key.business.id;
  app.post<DeliveryRoute>(
    `${DELIVERY}/redeliver`,
    { onRequest, schema: docs.redeliverOneDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const { delivery_id: id } = request.params;
      const result = await redeliver(deps, { caller: callerOf(request), id, idempotencyKey: key.value });
      if (!result.ok) return sendRefusal(reply, result.error);
      if (result.value.replayed) reply.header(...REPLAYED);
      return successBody('Delivery queued.', { delivery: renderDelivery(result.value.value) });
    },
  );
  app.post<EndpointRoute & { Body: Static<typeof RangeBody> }>(
    `${ENDPOINT}/redeliver`,
    { onRequest, schema: docs.redeliverRangeDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const asked = endpointRequestOf(request, key.value);
      const result = await alone(businessOf(request), () => redeliverRange(deps, asked, request.body));
      if (!result.ok) return sendRefusal(reply, result.error);
      if (result.value.replayed) reply.header(...REPLAYED);
      return queuedAnswer(result.value.value);
    },
  );
  app.post<EndpointRoute & { Body: Static<typeof RecoverBody> }>(
    `${ENDPOINT}/recover`,
    { onRequest, schema: docs.recoverDeliveriesDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const asked = endpointRequestOf(request, key.value);
      const result = await alone(businessOf(request), () =>
        recoverFailedDeliveries(deps, asked, request.body),
      );
      if (!result.ok) return sendRefusal(reply, result.error);
      if (result.value.replayed) reply.header(...REPLAYED);
      return queuedAnswer(result.value.value);
    },
  );
}
