// Keeps all open streams of this process: their maximum number, the checks of their keys, and their heartbeats. A stream ends
// when its key is revoked or expires, and all streams end when the service shuts down. The streams of console sessions are an
// exception: the route that opened such a stream checks the session and ends the stream.
import { actorKind } from '../../domain/people/actor.ts';
import type { Catalogue, CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { Clock } from '../../ports/clock.ts';
import { makeNamedCounts } from '../admission/limits.ts';
import type { EventStream } from './event-stream.ts';

/**
 * The interval between checks of the keys. The streams of a revoked key end within this time after the catalogue has changed.
 */
const LOOK_EVERY_MS = 500;

export interface StreamLimits {
  readonly maxStreams: number;
  readonly streamsPerKey: number;
  readonly heartbeatMs: number;
}

export interface OpenStreams {
  readonly count: number;
  /** Counts a stream of this key or session. If there are too many streams, it returns the message of the refusal. */
  enter(holderId: string): string | undefined;
  exit(holderId: string): void;
  /** From this call on, the stream gets heartbeats and ends when its key ends. */
  add(holderId: string, stream: EventStream): void;
  remove(stream: EventStream): void;
  drain(): void;
  isDraining(): boolean;
  close(): void;
}

export function makeOpenStreams(
  { maxStreams, streamsPerKey, heartbeatMs }: StreamLimits,
  { catalogue, clock }: { readonly catalogue: Catalogue; readonly clock: Clock },
): OpenStreams {
  const streams = new Map<EventStream, string>();
  const ofHolder = makeNamedCounts();
  let count = 0;
  let draining = false;
  const isGood = makeKeyCheck(catalogue, clock);
  const looking = setInterval(
    () => {
      const good = streams.size === 0 ? undefined : isGood();
      for (const [stream, holderId] of streams) {
        if (good !== undefined && actorKind(holderId) === 'key' && !good(holderId)) stream.end('key_revoked');
        else if (stream.quietMs() >= heartbeatMs) stream.beat();
      }
    },
    Math.min(LOOK_EVERY_MS, heartbeatMs),
  ).unref();
  return {
    get count() {
      return count;
    },
    enter: (holderId) => {
      if (ofHolder.of(holderId) >= streamsPerKey)
        return `This ${actorKind(holderId) === 'key' ? 'key' : 'session'} has ${streamsPerKey} open streams, which is the limit. Close one, or share one stream.`;
      if (count >= maxStreams)
        return 'The service has reached its maximum number of open streams. Try again later, or list events: GET /events/v1.';
      count++;
      ofHolder.add(holderId);
      return undefined;
    },
    exit: (holderId) => {
      count--;
      ofHolder.remove(holderId);
    },
    add: (holderId, stream) => void streams.set(stream, holderId),
    remove: (stream) => void streams.delete(stream),
    drain: () => {
      draining = true;
      for (const stream of streams.keys()) stream.end('draining');
    },
    isDraining: () => draining,
    close: () => clearInterval(looking),
  };
}

/** Undefined while the keys are unknown because the database is unreachable. The streams stay open then. */
function makeKeyCheck(catalogue: Catalogue, clock: Clock) {
  let known: CatalogueSnapshot | undefined;
  let endsAtMs = new Map<string, number>();
  return (): ((keyId: string) => boolean) | undefined => {
    const snapshot = catalogue.current();
    if (snapshot === undefined) return undefined;
    if (snapshot !== known) {
      known = snapshot;
      endsAtMs = new Map(
        [...snapshot.keysByHash.values()].map(({ id, expiresAtMs }) => [
          id,
          expiresAtMs ?? Number.POSITIVE_INFINITY,
        ]),
      );
    }
    const nowMs = clock.now();
    return (keyId) => nowMs < (endsAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY);
  };
}
