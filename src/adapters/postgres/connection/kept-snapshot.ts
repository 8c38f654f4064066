// What is read whole and kept in memory, and read again after each NOTIFY that a trigger sends inside the commit that changes it. It
// counts as out of date as soon as the listening connection is not known to be alive.
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { ConnectionSettings } from './database.ts';
import { openListener } from './listener.ts';

export interface KeptSnapshot<Snapshot> {
  /** Undefined: it may be out of date. */
  current(): Snapshot | undefined;
  /** A read that began after the call, so that it shows everything committed by then. */
  refresh(): Promise<Snapshot>;
  close(): Promise<void>;
}

export function keepSnapshot<Snapshot>(options: {
  readonly channel: string;
  readonly connection: ConnectionSettings;
  /** Each read has a higher generation than the one before. */
  readonly read: (generation: number) => Promise<Snapshot>;
  /** Whether a notification is about what is kept. */
  readonly concerns: (payload: string) => boolean;
  /** Called after each notification, also one that is not about it. */
  readonly onNotice?: (payload: string) => void;
  /** For how long the last snapshot is served once a newer one is known of. */
  readonly patienceMs: number;
  readonly onError: (error: Error) => void;
}): KeptSnapshot<Snapshot> {
  const { channel, connection, onError, patienceMs } = options;
  let snapshot: Snapshot | undefined;
  let generation = 0;
  /** When the oldest change was heard of that the snapshot does not include; undefined: it includes all. */
  let outdatedSinceMs: number | undefined;
  /** When the first change was heard of that the running read may miss. */
  let missedSinceMs: number | undefined;

  const refresh = serializeReads(async () => {
    missedSinceMs = undefined;
    const fresh = await options.read(++generation);
    snapshot = fresh;
    outdatedSinceMs = missedSinceMs;
    return fresh;
  });
  const listener = openListener({
    channel,
    connection,
    onUp: refresh,
    onDown: onError,
    onChange: (payload) => {
      if (options.concerns(payload)) {
        const nowMs = performance.now();
        outdatedSinceMs ??= nowMs;
        missedSinceMs ??= nowMs;
        refresh().catch(onError);
      }
      options.onNotice?.(payload);
    },
  });
  const isFresh = () => outdatedSinceMs === undefined || performance.now() - outdatedSinceMs < patienceMs;
  return {
    current: () => (listener.alive() && isFresh() ? snapshot : undefined),
    refresh,
    close: () => listener.close(),
  };
}

/** One read at a time. Whoever asks gets a read that began after they asked; those who ask during a read share the next one. */
function serializeReads<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let next: Promise<Value> | undefined;
  const begin = (): Promise<Value> => {
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return () => {
    if (reading === undefined) return begin();
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

/** Resolves once what is kept in memory is current; throws when that takes too long. */
export async function waitUntilCurrent(kept: { current(): unknown }, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (kept.current() === undefined) {
    if (performance.now() > giveUpAt) {
      throw new StoreUnavailable('the database did not answer in time', { mayHaveActed: false });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
