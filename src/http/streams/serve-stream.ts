// Responds to a request with a stream of events, for a key of the API or a session of the console. The service sends all
// refusals before the stream starts.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unknownCursor } from '../../app/events/list-events.ts';
import type { BusinessEvent } from '../../domain/events/event.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { EventLog } from '../../ports/events.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';
import type { WorkTurns } from '../admission/work-turns.ts';
import type { EventHub } from './event-hub.ts';
import { type EventStream, makeEventStream, type StreamSource } from './event-stream.ts';
import type { OpenStreams } from './open-streams.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks the response as a stream. It lasts as long as the client wants, and does not count as a request in progress. */
    asStream(raw: FastifyReply['raw']): void;
  }
}

export interface StreamDeps {
  readonly eventLog: EventLog;
  readonly hub: EventHub;
  readonly streams: OpenStreams;
  /** Limits how many streams read missed events at the same time. */
  readonly turns: WorkTurns;
  readonly renderChunk: (event: BusinessEvent) => Buffer;
  readonly onError: (error: Error) => void;
}

export interface WantedEvents extends Pick<StreamSource, 'wants' | 'from' | 'transactionId'> {
  readonly holderId: string;
  readonly scope: BusinessScope;
}

const STOPPING = refusal(
  'unavailable',
  'The service is stopping. Connect again, with the header last-event-id.',
);

/** Returns a refusal, or the stream. The stream lasts until its client disconnects or its key or session ends. */
export async function serveStream(
  deps: StreamDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: WantedEvents,
): Promise<EventStream | Refusal> {
  const { streams, eventLog, turns } = deps;
  const { holderId, scope, transactionId } = wanted;
  const full = streams.enter(holderId);
  if (full !== undefined) return refusal('rate_limited', full);
  const about = transactionId === undefined ? {} : { transactionId };
  const stream = makeEventStream({
    ...{ hub: deps.hub, scope, wants: wanted.wants, from: wanted.from, render: deps.renderChunk },
    transactionId,
    list: (filter) => turns.take(async () => (await eventLog.list(scope, { ...about, ...filter })) ?? []),
  });
  let refused: Refusal | undefined;
  try {
    refused = await joinHub(deps, stream, request, wanted);
  } catch (error) {
    streams.exit(holderId);
    throw error;
  }
  if (refused !== undefined || reply.raw.destroyed) {
    stream.drop();
    streams.exit(holderId);
    if (refused !== undefined) return refused;
    reply.hijack();
    return stream;
  }
  beginStream(deps, reply, stream, holderId);
  return stream;
}

export function isRefused(served: EventStream | Refusal): served is Refusal {
  return 'code' in served;
}

/** The cursor is looked up before the stream joins the hub, so that the hub has already read past the cursor. */
async function joinHub(
  { eventLog, streams }: StreamDeps,
  stream: EventStream,
  request: FastifyRequest,
  { scope, from }: WantedEvents,
): Promise<Refusal | undefined> {
  if (from?.after !== undefined) {
    const known = await eventLog.list(scope, { after: from.after, limit: 1 });
    if (known === undefined) return unknownCursor(cursorName(request));
  }
  if (streams.isDraining()) return STOPPING;
  await stream.join();
  return streams.isDraining() ? STOPPING : undefined;
}

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
  // A proxy that buffers the response would delay events.
  'x-accel-buffering': 'no',
};

function beginStream(
  { streams, onError }: StreamDeps,
  reply: FastifyReply,
  stream: EventStream,
  holderId: string,
): void {
  reply.hijack();
  const { raw } = reply;
  raw.once('close', () => {
    stream.drop();
    streams.remove(stream);
    streams.exit(holderId);
  });
  raw.on('error', () => undefined); // `close` follows
  reply.server.asStream(raw);
  raw.writeHead(200, { ...HEAD, 'request-id': reply.request.id });
  streams.add(holderId, stream);
  stream.open(raw).catch((error: Error) => {
    onError(error);
    raw.destroy();
  });
}

export function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['last-event-id'];
  return Array.isArray(header) ? header.join(',') : header;
}

export function cursorName(request: FastifyRequest): string {
  return lastEventIdOf(request) ? 'last-event-id' : 'cursor';
}
