// Keeps a complete snapshot of some data in memory and reads it again after each NOTIFY. A trigger sends the NOTIFY inside the
// commit that changes the data. The snapshot counts as out of date as soon as the listening connection may be dead.
import { StoreUnavailable } from '../../../ports/store/store.ts';
import type { ConnectionSettings } from './database.ts';
import { openListener } from './listener.ts';

const RETRY_MS = 250;

export interface KeptSnapshot<Snapshot> {
  /** Returns undefined while the snapshot may be out of date. */
  current(): Snapshot | undefined;
  /**
   * Reads the data again and resolves with a read that began after the call. So the result includes everything that was
   * committed before the call.
   */
  refresh(): Promise<Snapshot>;
  close(): Promise<void>;
}

export function keepSnapshot<Snapshot>(options: {
  readonly channel: string;
  readonly connection: ConnectionSettings;
  readonly read: (generation: number) => Promise<Snapshot>;
  readonly concerns: (payload: string) => boolean;
  /** Called after each notification, including those that do not concern the snapshot. */
  readonly onNotice?: (payload: string) => void;
  /** How long the last snapshot is still served after a notification of newer data. */
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
  /** Retries until a read includes the change, because no other notification may follow. */
  const readAgain = () => {
    clearTimeout(retryTimer);
    refresh().catch((error: Error) => {
      onError(error);
      clearTimeout(retryTimer);
      // While no connection is listening, nothing is retried. The next connection reads the data when it opens.
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

/**
 * Runs one read at a time. Every caller gets a read that began after the call, and all calls during one read share the next
 * read.
 */
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
    // The next read may be waiting although no read is running, because the last one ended a moment ago. If this call started
    // another read, that read could end later with older data.
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

/** Resolves once the snapshot in memory is current. Throws after the time-out. */
export async function waitUntilCurrent(kept: { current(): unknown }, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (kept.current() === undefined) {
    if (performance.now() > giveUpAt) {
      throw new StoreUnavailable('the database did not answer in time', { mayHaveActed: false });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
