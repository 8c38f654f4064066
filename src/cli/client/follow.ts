// Follows the events of a business from a position in the event log, and connects again after a broken connection. Two health
// requests per second detect a stalled connection long before the stream times out.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventFilter,
  type Sliproad,
  SliproadConnectionError,
  type SliproadEvent,
  SliproadTimeoutError,
  type StreamState,
} from '../../../sdk/src/index.ts';

/** The id of the event after which to start. Null: start with the first event of the log. */
export type EventCursor = string | null;

export interface FollowSettings {
  readonly client: Sliproad;
  readonly baseUrl: string;
  readonly types: readonly EventFilter[] | undefined;
  readonly signal: AbortSignal;
  onState(state: StreamState): void;
}

const ASK_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 1_500;
const EMPTY_LOG_MS = 1_000;

export async function readNewestCursor(client: Sliproad, signal: AbortSignal): Promise<EventCursor> {
  for await (const { id } of client.events.list({ order: 'desc', limit: 1 }, { signal })) return id;
  return null;
}

export async function* followEvents(
  start: EventCursor,
  following: FollowSettings,
): AsyncGenerator<SliproadEvent, void, undefined> {
  const { signal } = following;
  let place = start;
  if (place === null) {
    const first = await waitForFirstEvent(following);
    if (first === undefined) return;
    if (matchesTypes(first, following.types)) yield first;
    place = first.id;
  }
  while (!signal.aborted) {
    for await (const event of streamUntilStandstill(place, following)) {
      place = event.id;
      yield event;
    }
  }
}

/** Reads the event stream of the SDK. The stream ends when the service stops responding. */
async function* streamUntilStandstill(
  after: string,
  following: FollowSettings,
): AsyncGenerator<SliproadEvent, void, undefined> {
  const { client, types, signal, onState } = following;
  const standstill = new AbortController();
  const ended = AbortSignal.any([signal, standstill.signal]);
  let connected = false;
  const watching = watchForSilence(following, ended, () => {
    if (!connected) return; // the SDK reconnects
    standstill.abort();
  });
  try {
    yield* client.events.stream({
      ...{ after, types, signal: ended },
      onState: (state) => {
        connected = state.state === 'connected';
        onState(state);
      },
    });
  } finally {
    const stoodStill = standstill.signal.aborted && !signal.aborted;
    standstill.abort();
    await watching;
    if (stoodStill) {
      const reason = `The service did not answer within ${ANSWER_WITHIN_MS / 1000} s.`;
      onState({ state: 'disconnected', reason, retryInMs: ASK_EVERY_MS });
    }
  }
}

async function watchForSilence(
  { baseUrl }: FollowSettings,
  ended: AbortSignal,
  onSilence: () => void,
): Promise<void> {
  const address = `${baseUrl.replace(/\/+$/, '')}/health`;
  while (!ended.aborted) {
    await sleep(ASK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
    try {
      const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.any([ended, limit]) });
      await answer.body?.cancel();
    } catch {
      if (limit.aborted && !ended.aborted) onSilence();
    }
  }
}

async function waitForFirstEvent({
  client,
  signal,
  onState,
}: FollowSettings): Promise<SliproadEvent | undefined> {
  let connected: boolean | undefined;
  while (!signal.aborted) {
    try {
      for await (const event of client.events.list({ limit: 1 }, { signal })) return event;
      if (connected !== true) onState({ state: 'connected' });
      connected = true;
    } catch (error) {
      if (signal.aborted) return undefined;
      const isAway = error instanceof SliproadConnectionError || error instanceof SliproadTimeoutError;
      if (!isAway) throw error;
      if (connected !== false)
        onState({ state: 'disconnected', reason: error.message, retryInMs: EMPTY_LOG_MS });
      connected = false;
    }
    await sleep(EMPTY_LOG_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Compares event types as the service does: a filter is an exact type, or a group such as `transaction.*`. */
function matchesTypes({ type }: SliproadEvent, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true;
  return types.some((each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))));
}

export function typesOption(text: string | undefined): readonly EventFilter[] | undefined {
  const types = text?.split(',').flatMap((each) => each.trim() || []);
  return types === undefined || types.length === 0 ? undefined : (types as EventFilter[]);
}

export function makeStateNotes(note: (line: string) => void, words: { readonly connected: string }) {
  let said: 'connected' | 'disconnected' | undefined;
  return (state: StreamState): void => {
    if (state.state === said) return;
    const again = said === 'disconnected' ? 'Reconnected.' : words.connected;
    said = state.state;
    if (state.state === 'connected') note(again);
    else note(`Disconnected: ${state.reason} Reconnecting; no event is lost.`);
  };
}
