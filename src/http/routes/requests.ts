// The request log that a business reads: its requests and the responses to them.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import { type ReadRequestDeps, readRequest } from '../../app/requests/read-requests.ts';
import { REFUSAL_CODES } from '../../domain/values/refusals.ts';
import type { ListedRequest, LoggedRequest } from '../../ports/request-log.ts';
import { sendRefusal } from '../errors.ts';
import { errorExample } from '../reference/error-examples.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { callerOf } from '../requests/request-context.ts';

export interface RequestRouteDeps extends ReadRequestDeps {
  readonly authenticate: onRequestHookHandler;
}

export function addRequestRoutes(app: FastifyInstance, deps: RequestRouteDeps): void {
  app.get<{ Params: { request_id: string } }>(
    '/requests/v1/:request_id',
    { onRequest: deps.authenticate, schema: requestDocs },
    async (request, reply) => {
      const result = await readRequest(deps, callerOf(request), request.params.request_id);
      if (!result.ok) return sendRefusal(reply, result.error);
      return { status: 'success', message: 'Request found.', request: renderRequest(result.value) };
    },
  );
}

export function renderRequest({ body, bodyTruncated, ...kept }: LoggedRequest) {
  return {
    ...renderListedRequest(kept),
    // A truncated JSON text is no longer valid JSON, so the response contains it as text.
    body: body === null || bodyTruncated ? body : JSON.parse(body),
    body_truncated: bodyTruncated,
  };
}

export function renderListedRequest(kept: ListedRequest) {
  return {
    request_id: kept.requestId,
    at: new Date(kept.atMs).toISOString(),
    method: kept.method,
    path: kept.path,
    status: kept.status,
    code: kept.code,
    duration_ms: kept.durationMs,
    key_id: kept.keyId,
    mode: kept.mode,
  };
}

export const RequestAnswer = Type.Object({
  status: Type.String({ enum: ['success'] }),
  message: Type.String(),
  request: Type.Object({
    request_id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'When the request arrived.' }),
    method: Type.String(),
    path: Type.String({ description: 'The path with its query. Values that may be secrets are masked.' }),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    code: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...REFUSAL_CODES, null],
      description: 'The code of the error body; null if there was no error body.',
    }),
    duration_ms: Type.Integer(),
    body: Type.Unsafe<unknown>({
      type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
      description:
        'The parsed body. Secrets are masked. Null if there was no body, or if it was not valid JSON.',
    }),
    body_truncated: Type.Boolean({
      description:
        'true: the body was larger than 16 kB, so the field body contains only the start of its text.',
    }),
    key_id: Type.String({ description: 'The key that the request was sent with.' }),
    mode: Type.String({ enum: ['live', 'test'] }),
  }),
});

const refusedExample = errorExample('amount_below_minimum');

const requestDocs = {
  operationId: 'getRequest',
  summary: 'Read a request',
  description:
    'Your request and the response to it, found by the `request-id` of the response. The log stores requests that change ' +
    'something and requests that failed, for 30 days unless the operator has set another time. Requests without a valid key ' +
    'belong to no business and are not stored. The log is written within a second after the response; a crash of the service may ' +
    'lose the last second.',
  tags: [TAGS.requests],
  security: WITH_KEY,
  params: Type.Object({
    request_id: Type.String({ description: 'The req_… id in the header request-id, or in an error body.' }),
  }),
  response: {
    200: jsonAnswer('The request.', RequestAnswer, {
      status: 'success',
      message: 'Request found.',
      request: {
        request_id: refusedExample.request_id,
        at: '2026-11-14T09:30:00.000Z',
        method: 'POST',
        path: '/transactions/v1/onramp',
        status: 422,
        code: refusedExample.code,
        duration_ms: 3,
        body: {
          business_id: 'biz_01kfz3m8q4w7x2v9c5b6n1h0ja',
          link_tag: 'sandbox',
          type: 'buy_ramp',
          amount: 100,
        },
        body_truncated: false,
        key_id: 'key_01kfz3m8q4w7x2v9c5b6n1h0ja',
        mode: 'test',
      },
    }),
    ...errorAnswers(...KEY_ERRORS, 'request_not_found'),
  },
};
