// A stream over several connections. It reconnects after the last returned event, waits longer after each failure, and closes a
// stalled connection. The caller gets each event once and in order.

import type { EventFilter } from '../api-words.ts';
import { SliproadApiError, SliproadError, SliproadUnexpectedAnswerError } from '../errors.ts';
import type { SliproadEvent } from '../event-types.ts';
import { sleep, type Timers } from '../transport/timers.ts';
import { type ApiRequest, pathPart, type Transport } from '../transport/transport.ts';
import { type Message, makeSseParser } from './sse-parser.ts';

export type StreamState =
  | { readonly state: 'connected' }
  | {
      readonly state: 'disconnected';
      /** The reason in one sentence. */
      readonly reason: string;
      readonly retryInMs: number;
    };

export interface StreamOptions {
  readonly types?: readonly EventFilter[] | undefined;
  /** The id of the last event that you received. The stream starts after this event. */
  readonly after?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  readonly onState?: ((state: StreamState) => void) | undefined;
}

interface Source extends StreamOptions {
  readonly path: string;
  /**
   * Returns the start position of a new stream, so that the stream loses no event if its first connection breaks early.
   * Undefined means that no event exists yet.
   */
  readonly newest?: () => Promise<string | undefined>;
  /** Returns all events from the beginning. The stream uses it if the log was empty at its start. */
  readonly missed?: () => AsyncIterable<SliproadEvent>;
}

/** A longer silence means that the connection stalls, because the service sends a heartbeat every 15 seconds. */
const STANDSTILL_MS = 45_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
const REMEMBERED_IDS = 4_096;

/** The state that one connection passes to the next connection. */
interface Progress {
  /** Whether lastId is the start position of the stream. */
  isPlaced: boolean;
  lastId: string | undefined;
  retryMs: number;
  failures: number;
  readonly seen: Set<string>;
}

export async function* streamEvents(
  transport: Transport,
  source: Source,
): AsyncGenerator<SliproadEvent, void, undefined> {
  const { signal, onState, after } = source;
  if (after !== undefined) pathPart('after', after);
  const progress: Progress = {
    isPlaced: after !== undefined || source.newest === undefined,
    lastId: after,
    retryMs: FIRST_RETRY_MS,
    failures: 0,
    seen: new Set(),
  };
  while (!signal?.aborted) {
    let reason: string;
    let leastMs = 0;
    try {
      reason = yield* oneConnection(transport, source, progress);
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      reason = error.message;
      leastMs = error.retryAfterMs ?? 0;
    }
    if (signal?.aborted) return;
    const backOffMs = Math.min(LONGEST_RETRY_MS, progress.retryMs * 2 ** progress.failures);
    const retryInMs = Math.max(leastMs, Math.round(backOffMs * (0.5 + transport.timers.random() / 2)));
    progress.failures++;
    onState?.({ state: 'disconnected', reason, retryInMs });
    await sleep(transport.timers, retryInMs, signal).catch(() => undefined);
  }
}

/** Yields the events of one connection. Returns the reason why the connection ended. */
async function* oneConnection(
  transport: Transport,
  { path, types, signal, onState, newest, missed }: Source,
  progress: Progress,
): AsyncGenerator<SliproadEvent, string, undefined> {
  if (!progress.isPlaced) progress.lastId = await newest?.();
  progress.isPlaced = true;
  const { response, limit } = await transport.open(requestOf(path, types, progress.lastId, signal));
  const reader = response.body!.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  limit.signal.addEventListener('abort', stop, { once: true });
  const parser = makeSseParser();
  onState?.({ state: 'connected' });
  try {
    // The stream is already open, so each event is in this list, in the stream, or in both.
    if (progress.lastId === undefined && missed !== undefined) {
      for await (const event of missed()) if (remember(progress, event.id)) yield event;
    }
    for (;;) {
      const chunk = await readWithin(transport.timers, reader);
      if (typeof chunk === 'string') return chunk;
      progress.failures = 0;
      const { messages, retryMs } = parser.push(chunk);
      progress.retryMs = retryMs ?? progress.retryMs;
      for (const message of messages) {
        if (message.event === 'stream.ended') return endOf(message);
        const event = eventOf(message);
        if (remember(progress, event.id, message.id)) yield event;
        if (signal?.aborted) return 'The stream was stopped.';
      }
    }
  } finally {
    // This also runs if the caller leaves its loop early.
    limit.clear();
    limit.abort();
  }
}

function requestOf(
  path: string,
  types: readonly EventFilter[] | undefined,
  lastId: string | undefined,
  signal: AbortSignal | undefined,
): ApiRequest {
  return {
    method: 'GET',
    path,
    query: { type: types },
    headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
    signal,
  };
}

/**
 * Returns the next bytes, or the reason why they are missing. The time limit counts only during this wait, not while the caller
 * works.
 */
async function readWithin(
  timers: Timers,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | string> {
  let isStill = false;
  const timer = timers.setTimeout(() => {
    isStill = true;
    // Ends the read below.
    void reader.cancel().catch(() => undefined);
  }, STANDSTILL_MS);
  try {
    const { done, value } = await reader.read();
    if (!done) return value;
    return isStill ? `Nothing arrived for ${STANDSTILL_MS / 1000} seconds.` : 'The connection was closed.';
  } catch (error) {
    return `The connection broke: ${(error as Error)?.message ?? error}.`;
  } finally {
    timers.clearTimeout(timer);
  }
}

/** Returns false if the event was already returned. `resumeId` is the stream's id for the position after the event. */
function remember(progress: Progress, id: string, resumeId = id): boolean {
  if (progress.seen.has(id) || id === progress.lastId) return false;
  progress.seen.add(id);
  for (const oldest of progress.seen) {
    if (progress.seen.size <= REMEMBERED_IDS) break;
    progress.seen.delete(oldest);
  }
  progress.lastId = resumeId;
  return true;
}

function eventOf({ data }: Message): SliproadEvent {
  try {
    const event = JSON.parse(data);
    if (typeof event.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // Answered below.
  }
  throw new SliproadUnexpectedAnswerError(
    'unexpected_answer',
    'The stream sent an event that is not a Sliproad event.',
  );
}

function endOf({ data }: Message): string {
  const reason = /"reason"\s*:\s*"(\w+)"/.exec(data)?.[1] ?? 'no reason was given';
  if (reason === 'key_revoked') {
    const message = 'The stream ended because the secret key was revoked. Use the new key.';
    throw new SliproadApiError('unauthorized', message, { status: 401 });
  }
  if (reason === 'too_slow') return 'The service ended the stream: its events were not read fast enough.';
  return `The service ended the stream: ${reason}.`;
}

/**
 * Whether a retry can help. It can help after a lost response, a gateway error or too many requests. The service would refuse a
 * wrong key or a wrong cursor again.
 */
function isPassing(error: unknown): error is SliproadError {
  if (!(error instanceof SliproadError)) return false;
  const { status } = error;
  if (status === undefined) return error.code === 'connection_failed' || error.code === 'timeout';
  return status === 408 || status === 429 || status >= 500;
}
