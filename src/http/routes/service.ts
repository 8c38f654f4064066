// The routes about the service itself: alive, ready, metrics. None needs a key.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import { refusal } from '../../domain/values/refusals.ts';
import { NO_SUCH_PATH, sendRefusal } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { errorAnswers, jsonAnswer, TAGS, WITHOUT_KEY } from '../reference/route-docs.ts';

export interface ServiceRouteDeps {
  /** Undefined when the service can take work; otherwise why not. */
  readonly notReadyBecause: () => Promise<string | undefined>;
  readonly metrics: Metrics;
  /** Who may read the metrics: holders of a token, anyone on this machine who asks it by its own name, or no one. */
  readonly metricsAccess: { readonly token: string } | { readonly host: string } | 'closed';
  /** In front of what takes no key. The probes, whose answers cost nothing, go without. */
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
        description: 'The process answers. Says nothing about the database.',
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
  // Not part of the interface for businesses, so not in the document.
  app.get('/metrics', { onRequest: deps.publicly, schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(deps.metricsAccess, request.headers)) {
      return sendRefusal(reply, NO_SUCH_PATH);
    }
    return reply
      .header('content-type', deps.metrics.registry.contentType)
      .send(await deps.metrics.registry.metrics());
  });
}

/** However many ask at once, the database is asked once. */
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

/** A page from elsewhere can make a browser of this machine ask us, but only under a name of its own. */
function isOwnName(host: string, own: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name) || name === own.toLowerCase();
}
