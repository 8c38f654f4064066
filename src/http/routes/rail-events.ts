// POST /rails/{place}/events: a rail reports an event. The request needs no key of this service, because the rail signs the
// bytes of the body. The service responds after it has stored the event. This route is not part of the API for businesses
// (docs/operate/rails.md).
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import {
  listEventPlaces,
  type ReceiveRailEventDeps,
  receiveRailEvent,
} from '../../app/rails/receive-rail-event.ts';
import { refusal } from '../../domain/values/refusals.ts';
import { clientOfAddress } from '../admission/client-address.ts';
import { sendRefusal } from '../errors.ts';

export interface RailEventRouteDeps extends ReceiveRailEventDeps {
  readonly publicly: onRequestHookHandler;
}

const MOST_BYTES = 262_144;
const NOT_PROVEN = refusal('unauthorized', 'This request is not proven to come from the rail.');

export function addRailEventRoutes(app: FastifyInstance, deps: RailEventRouteDeps): void {
  // This route has its own scope, because the rail's signature covers the raw bytes of the body.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const options = { onRequest: deps.publicly, bodyLimit: MOST_BYTES, schema: { hide: true } } as const;
    for (const place of listEventPlaces(deps.banks))
      scope.post(`/rails/${place}/events`, options, (request, reply) =>
        takeRailEvent(deps, place, request, reply),
      );
  });
}

async function takeRailEvent(
  deps: RailEventRouteDeps,
  place: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const received = await receiveRailEvent(deps, place, {
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    address: clientOfAddress(request.ip),
  });
  return received.kind === 'forged' ? sendRefusal(reply, NOT_PROVEN) : received.body;
}
