// A snapshot that is read completely, kept in memory, and read again after each NOTIFY. A trigger sends the NOTIFY inside the
// commit that changes the data. The snapshot counts as out of date as soon as the listening connection may be dead.
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { ConnectionSettings } from './database.ts';
import { openListener } from './listener.ts';

const RETRY_MS = 250;

export interface KeptSnapshot<Snapshot> {
  /** Undefined: the snapshot may be out of date. */
  current(): Snapshot | undefined;
  /** Resolves with a read that began after the call, so it includes everything that was committed before the call. */
  refresh(): Promise<Snapshot>;
  close(): Promise<void>;
}

export function keepSnapshot<Snapshot>(options: {
  readonly channel: string;
  readonly connection: ConnectionSettings;
  /** Each read has a higher generation than the previous one. */
  readonly read: (generation: number) => Promise<Snapshot>;
  /** Whether a notification concerns the data in the snapshot. */
  readonly concerns: (payload: string) => boolean;
  /** Called after each notification, even if it does not concern the snapshot. */
  readonly onNotice?: (payload: string) => void;
  /** How long the last snapshot is still served after a notification of a newer one. */
  readonly patienceMs: number;
  readonly onError: (error: Error) => void;
}): KeptSnapshot<Snapshot> {
  const { channel, connection, onError, patienceMs } = options;
  let snapshot: Snapshot | undefined;
  let generation = 0;
  /** The time of the first notification of a change that the snapshot does not include; undefined if it includes all changes. */
  let outdatedSinceMs: number | undefined;
  /** The time of the first notification of a change that the running read may not include. */
  let missedSinceMs: number | undefined;

  const refresh = serializeReads(async () => {
    missedSinceMs = undefined;
    const fresh = await options.read(++generation);
    snapshot = fresh;
    outdatedSinceMs = missedSinceMs;
    return fresh;
  });
  let retryTimer: NodeJS.Timeout | undefined;
  /** Retries until a read includes the change: no other notification may follow. */
  const readAgain = () => {
    clearTimeout(retryTimer);
    refresh().catch((error: Error) => {
      onError(error);
      clearTimeout(retryTimer);
      // Without a connection that listens, the next one reads when it is open.
      retryTimer = setTimeout(() => {
        if (outdatedSinceMs !== undefined && listener.alive()) readAgain();
      }, RETRY_MS).unref();
    });
  };
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
        readAgain();
      }
      options.onNotice?.(payload);
    },
  });
  const isFresh = () => outdatedSinceMs === undefined || performance.now() - outdatedSinceMs < patienceMs;
  return {
    current: () => (listener.alive() && isFresh() ? snapshot : undefined),
    refresh,
    close: () => {
      clearTimeout(retryTimer);
      return listener.close();
    },
  };
}

/** Runs one read at a time. A caller gets a read that began after the call. All calls during a read share the next one. */
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
    // The next read may be waiting although none is running: the running one ended a moment ago. A second read beside it could
    // end later with older data.
    if (next !== undefined) return next;
    if (reading === undefined) return begin();
    next = reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

/** Resolves once the snapshot in memory is current; throws when that takes too long. */
export async function waitUntilCurrent(kept: { current(): unknown }, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (kept.current() === undefined) {
    if (performance.now() > giveUpAt) {
      throw new StoreUnavailable('the database did not answer in time', { mayHaveActed: false });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
