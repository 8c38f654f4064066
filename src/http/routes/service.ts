// The routes about the service itself: alive, ready, metrics. None needs a key.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refusal } from '../../domain/refusals.ts';
import { sendRefusal } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { errorAnswers, jsonAnswer, TAGS, WITHOUT_KEY } from '../route-docs.ts';

export interface ServiceRouteDeps {
  /** Undefined when the service can take work; otherwise why not. */
  readonly notReadyBecause: () => Promise<string | undefined>;
  readonly metrics: Metrics;
  /** Who may read the metrics: holders of a token, anyone who can reach the address, or nobody. */
  readonly metricsAccess: { readonly token: string } | 'open' | 'closed';
}

export function addServiceRoutes(app: FastifyInstance, deps: ServiceRouteDeps): void {
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
      const why = await deps.notReadyBecause();
      if (why !== undefined) return sendRefusal(reply, refusal('unavailable', why));
      return { status: 'success', message: 'Ready.' };
    },
  );
  // Not part of the interface for businesses, so not in the document.
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(deps.metricsAccess, request.headers.authorization)) {
      return sendRefusal(reply, refusal('not_found', 'There is nothing at this address.'));
    }
    return reply
      .header('content-type', deps.metrics.registry.contentType)
      .send(await deps.metrics.registry.metrics());
  });
}

function mayReadMetrics(access: ServiceRouteDeps['metricsAccess'], header: string | undefined): boolean {
  if (access === 'open' || access === 'closed') return access === 'open';
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${access.token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
