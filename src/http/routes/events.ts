// The routes that list and stream events. A stream starts only after all checks, so every refusal has the common error body.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { listEvents, parseStreamQuery, unknownCursor } from '../../app/events/list-events.ts';
import { scopeOf } from '../../app/input/caller.ts';
import { readTransaction } from '../../app/intake/read-transactions.ts';
import { type BusinessEvent, placeOfEvent } from '../../domain/events/event.ts';
import type { EventLog } from '../../ports/events.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { Store } from '../../ports/store/store.ts';
import { sendRefusal } from '../errors.ts';
import { eventListDocs, streamDocs, transactionEventsDocs } from '../reference/event-docs.ts';
import { callerOf } from '../requests/request-context.ts';
import {
  cursorName,
  isRefused,
  lastEventIdOf,
  type StreamDeps,
  serveStream,
  type WantedEvents,
} from '../streams/serve-stream.ts';
import { renderEvent } from './render-event.ts';

export interface EventRouteDeps {
  readonly authenticate: onRequestHookHandler;
  readonly eventLog: EventLog;
  readonly networks: Networks;
}

export function addEventRoutes(app: FastifyInstance, deps: EventRouteDeps): void {
  app.get<{ Querystring: Record<string, unknown> }>(
    '/events/v1',
    { onRequest: deps.authenticate, schema: eventListDocs },
    async (request, reply) => {
      const result = await listEvents(deps.eventLog, callerOf(request), request.query);
      if (!result.ok) return sendRefusal(reply, result.error);
      const { events, nextCursor } = result.value;
      return {
        status: 'success',
        message: request.query.order === 'desc' ? 'Events, newest first.' : 'Events, oldest first.',
        events: events.map((event) => renderEvent(event, deps.networks)),
        next_cursor: nextCursor,
      };
    },
  );
}

export interface StreamRouteDeps extends StreamDeps {
  readonly authenticate: onRequestHookHandler;
  readonly store: Store;
}

type EventQuery = Record<string, unknown>;

export function addEventStreamRoutes(app: FastifyInstance, deps: StreamRouteDeps): void {
  app.get<{ Querystring: EventQuery }>(
    '/events/v1/stream',
    { onRequest: deps.authenticate, schema: streamDocs, exposeHeadRoute: false },
    async (request, reply) => {
      const asked = parseStreamQuery(request.query, lastEventIdOf(request));
      if (!asked.ok) return sendRefusal(reply, asked.error);
      const { types, after } = asked.value;
      const wants = (event: BusinessEvent) => types === undefined || types.includes(event.type);
      return serveEvents(deps, request, reply, { wants, from: after === undefined ? undefined : { after } });
    },
  );
  app.get<{ Params: { transaction_id: string }; Querystring: EventQuery }>(
    '/transactions/v1/:transaction_id/events',
    { onRequest: deps.authenticate, schema: transactionEventsDocs, exposeHeadRoute: false },
    async (request, reply) => {
      const asked = parseStreamQuery(request.query, lastEventIdOf(request));
      if (!asked.ok) return sendRefusal(reply, asked.error);
      const { transaction_id: transactionId } = request.params;
      const found = await readTransaction(deps.store, callerOf(request), transactionId);
      if (!found.ok) return sendRefusal(reply, found.error);
      const { types, after } = asked.value;
      if (after !== undefined && placeOfEvent(after)?.transactionId !== transactionId)
        return sendRefusal(reply, unknownCursor(cursorName(request)));
      const wants = (event: BusinessEvent) =>
        event.kind === 'transaction' &&
        event.transaction.id === transactionId &&
        (types === undefined || types.includes(event.type));
      const from = after === undefined ? {} : { after };
      return serveEvents(deps, request, reply, { wants, transactionId, from });
    },
  );
}

async function serveEvents(
  deps: StreamRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Omit<WantedEvents, 'holderId' | 'scope'>,
): Promise<FastifyReply> {
  const { key } = callerOf(request);
  const served = await serveStream(deps, request, reply, {
    ...wanted,
    holderId: key.id,
    scope: scopeOf({ key }),
  });
  return isRefused(served) ? sendRefusal(reply, served) : reply;
}
