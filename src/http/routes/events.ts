// Events as a list.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { listEvents } from '../../app/events/list-events.ts';
import type { EventLog } from '../../ports/events/event-log.ts';
import type { Networks } from '../../ports/network/network.ts';
import { sendRefusal } from '../errors.ts';
import { eventListDocs } from '../reference/event-docs.ts';
import { callerOf } from '../requests/request-context.ts';
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
