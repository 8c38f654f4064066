// One stream of events to one client: first the missed events from the database, then the new events from the hub. Both parts
// meet at the position where the stream joined the hub, so that no event is missing or repeated. If a client does not read, the
// service ends its stream. The client can reconnect with the id of its last event.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusinessEvent } from '../../domain/events/event.ts';
import type { EventFilter, LogPosition } from '../../ports/events.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import type { EventHub, EventWithBytes, Subscriber } from './event-hub.ts';

export type EndReason = 'key_revoked' | 'session_ended' | 'draining' | 'too_slow' | 'log_restarted';

/** The maximum number of bytes that wait in memory for one client. */
const MAX_BEHIND_BYTES = 1_048_576;
/** The service may take this long to send the final message of a stream. */
const FAREWELL_MS = 1_000;
const PAGE = 100;
/** The pause between two attempts to read the database while it is unreachable. */
const AGAIN_MS = 500;

export interface StreamSource {
  readonly hub: EventHub;
  readonly scope: BusinessScope;
  readonly transactionId?: string | undefined;
  readonly wants: (event: BusinessEvent) => boolean;
  /** The client's last position in the event log. Undefined if the stream starts with new events only. */
  readonly from: { readonly after?: string } | undefined;
  readonly list: (filter: Pick<EventFilter, 'after' | 'upTo' | 'limit'>) => Promise<readonly BusinessEvent[]>;
  readonly render: (event: BusinessEvent) => Buffer;
}

export interface EventStream {
  /** Joins the hub. It throws if the database is unreachable, and sends nothing to the client. */
  join(): Promise<void>;
  /**
   * Sends the missed events, then the new events. The promise resolves when all missed events are sent or the stream has ended.
   */
  open(response: ServerResponse): Promise<void>;
  beat(): void;
  end(reason: EndReason): void;
  /** Ends the stream without a final message, because the client has disconnected or was never served. */
  drop(): void;
  quietMs(): number;
}

interface EventStreamState {
  response: ServerResponse | undefined;
  /** Events from the hub that wait while the stream still sends missed events. Undefined when all missed events are sent. */
  held: EventWithBytes[] | undefined;
  heldBytes: number;
  /** Whether the hub sent more events than fit in memory. The stream then reads the remaining events from the database. */
  overflowed: boolean;
  over: boolean;
  /** Why the service ended the stream. Undefined while the stream is open, or if the client ended it. */
  endReason: EndReason | undefined;
  sentAt: number;
  joinedAt: LogPosition;
  last: string | undefined;
}

export function makeEventStream(source: StreamSource): EventStream {
  const { hub, scope, wants } = source;
  const state: EventStreamState = {
    ...{ response: undefined, held: [], heldBytes: 0, overflowed: false },
    ...{
      over: false,
      endReason: undefined,
      sentAt: performance.now(),
      joinedAt: '',
      last: source.from?.after,
    },
  };
  const drop = () => {
    state.over = true;
    state.held = undefined;
    hub.leave(subscriber);
  };
  const write = (bytes: Buffer | string): boolean => {
    state.sentAt = performance.now();
    return state.response!.write(bytes);
  };
  const end = (reason: EndReason) => {
    if (state.over) return;
    drop();
    state.endReason = reason;
    if (state.response !== undefined) sayEnd(state.response, reason);
  };
  const subscriber: Subscriber = {
    ...{ scope, transactionId: source.transactionId, wants },
    restart: () => end('log_restarted'),
    receive: (chunks) => {
      if (state.over) return;
      if (state.held !== undefined) holdChunks(state, chunks);
      else if (state.response!.writableLength > MAX_BEHIND_BYTES) end('too_slow');
      else write(joinChunks(chunks));
    },
  };
  const join = async () => {
    state.held = [];
    state.heldBytes = 0;
    state.overflowed = false;
    state.joinedAt = await hub.join(subscriber);
  };
  return {
    join,
    open: async (response) => {
      state.response = response;
      write('retry: 2000\n\n: connected\n\n');
      // The stream ended between `join` and this call, when there was no response to end.
      if (state.endReason !== undefined) return sayEnd(response, state.endReason);
      if (source.from !== undefined) await catchUp(source, state, write);
      while (state.overflowed && !state.over) {
        hub.leave(subscriber);
        await retryUntilAnswered(state, join);
        await catchUp(source, state, write);
      }
      if (!state.over) sendHeld(state, write);
    },
    beat: () => {
      if (state.over || state.response === undefined) return;
      if (state.response.writableLength > MAX_BEHIND_BYTES) end('too_slow');
      else write(': heartbeat\n\n');
    },
    end,
    drop,
    quietMs: () => performance.now() - state.sentAt,
  };
}

function sayEnd(response: ServerResponse, reason: EndReason): void {
  response.end(`event: stream.ended\ndata: ${JSON.stringify({ reason })}\n\n`);
  setTimeout(() => response.destroy(), FAREWELL_MS).unref();
}

function sendHeld(state: EventStreamState, write: (bytes: Buffer) => boolean): void {
  const held = state.held ?? [];
  state.held = undefined;
  if (held.length > 0) write(joinChunks(held));
}

async function catchUp(
  { list, wants, render }: StreamSource,
  state: EventStreamState,
  write: (bytes: Buffer) => boolean,
): Promise<void> {
  for (;;) {
    const after = state.last === undefined ? {} : { after: state.last };
    const page = await retryUntilAnswered(state, () => list({ ...after, upTo: state.joinedAt, limit: PAGE }));
    if (page === undefined || state.over) return;
    if (page.length > 0) {
      state.last = page.at(-1)!.id;
      const wanted = page.filter(wants).map(render);
      if (wanted.length > 0 && !write(Buffer.concat(wanted))) await waitForDrain(state.response!);
    }
    if (page.length < PAGE || state.over) return;
  }
}

function holdChunks(state: EventStreamState, chunks: readonly EventWithBytes[]): void {
  if (state.overflowed) return;
  state.heldBytes += chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (state.heldBytes > MAX_BEHIND_BYTES) {
    state.overflowed = true;
    state.held = [];
  } else state.held!.push(...chunks);
}

function joinChunks(chunks: readonly EventWithBytes[]): Buffer {
  return chunks.length === 1 ? chunks[0]!.bytes : Buffer.concat(chunks.map(({ bytes }) => bytes));
}

/** Retries while the database is unreachable and leaves the stream open. Returns undefined if the stream has ended. */
async function retryUntilAnswered<T>(
  state: EventStreamState,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (!state.over) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }
  return undefined;
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
