// The routes about the service itself: /health, /ready and /metrics. They need no secret key.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import { refusal } from '../../domain/values/refusals.ts';
import { NO_SUCH_PATH, sendRefusal } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { errorAnswers, jsonAnswer, TAGS, WITHOUT_KEY } from '../reference/route-docs.ts';

export interface ServiceRouteDeps {
  /** Returns the reason why the service is not ready; undefined if the service is ready. */
  readonly notReadyBecause: () => Promise<string | undefined>;
  readonly metrics: Metrics;
  /**
   * Who may read the metrics: requests with the token, requests from this machine to its own host name, or no person
   * (`closed`).
   */
  readonly metricsAccess: { readonly token: string } | { readonly host: string } | 'closed';
  /** The rate limit of /metrics. The cheap routes /health and /ready have no limit. */
  readonly publicly: onRequestHookHandler;
}

export function addServiceRoutes(app: FastifyInstance, deps: ServiceRouteDeps): void {
  const notReadyBecause = shareWork(deps.notReadyBecause);
  const state = Type.Object({ status: Type.String({ enum: ['success'] }), message: Type.String() });
  app.get(
    '/health',
    {
      schema: {
        operationId: 'health',
        summary: 'Alive',
        description: 'The process is running. The database is not checked.',
        tags: [TAGS.service],
        security: WITHOUT_KEY,
        response: {
          200: jsonAnswer('Alive.', state, { status: 'success', message: 'Alive.' }),
          ...errorAnswers('malformed_request'),
        },
      },
    },
    () => ({ status: 'success', message: 'Alive.' }),
  );
  app.get(
    '/ready',
    {
      schema: {
        operationId: 'ready',
        summary: 'Ready',
        description:
          'The database answers, its migrations are applied, and the service is not shutting down.',
        tags: [TAGS.service],
        security: WITHOUT_KEY,
        response: {
          200: jsonAnswer('Ready.', state, { status: 'success', message: 'Ready.' }),
          ...errorAnswers('malformed_request', 'unavailable'),
        },
      },
    },
    async (_request, reply) => {
      const why = await notReadyBecause();
      if (why !== undefined) return sendRefusal(reply, refusal('unavailable', why));
      return { status: 'success', message: 'Ready.' };
    },
  );
  // This route is not part of the API for businesses, so the OpenAPI document does not show it.
  app.get('/metrics', { onRequest: deps.publicly, schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(deps.metricsAccess, request.headers)) {
      return sendRefusal(reply, NO_SUCH_PATH);
    }
    return reply
      .header('content-type', deps.metrics.registry.contentType)
      .send(await deps.metrics.registry.metrics());
  });
}

function shareWork<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

function mayReadMetrics(
  access: ServiceRouteDeps['metricsAccess'],
  { host, authorization }: IncomingHttpHeaders,
): boolean {
  if (access === 'closed') return false;
  if ('host' in access) return isOwnName(host ?? '', access.host);
  const given = Buffer.from(authorization ?? '');
  const wanted = Buffer.from(`Bearer ${access.token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/**
 * A page of another site can make a browser on this machine send a request to this service, but only with the host name of that
 * site.
 */
function isOwnName(host: string, own: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name) || name === own.toLowerCase();
}
