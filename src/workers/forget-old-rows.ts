// Deletes rows after their retention time: idempotency keys, and requests of the request log.
import type { Clock } from '../ports/clock.ts';
import type { RequestLog } from '../ports/request-log.ts';
import type { Store } from '../ports/store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY_MS = 10 * 60_000;

/** The reference of a transaction never expires, so a late retry without its key still cannot create a second transaction. */
export function startForgettingIdempotencyKeys(
  deps: { readonly store: Store; readonly clock: Clock; readonly onError: (error: Error) => void },
  keepMs: number,
): Loop {
  return startLoop({
    everyMs: EVERY_MS,
    turn: async () => {
      await deps.store.purgeIdempotencyKeys(deps.clock.now() - keepMs);
    },
    onError: deps.onError,
  });
}

// Deletes logged requests after the retention time that the operator set. It deletes them in batches, so that no deletion locks
// rows for a long time.

const BATCH = 5_000;

export interface ForgetRequestsDeps {
  readonly requestLog: RequestLog;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
}

export function startForgettingRequests(deps: ForgetRequestsDeps, keepMs: number): Loop {
  let stopping = false;
  const loop = startLoop({
    everyMs: EVERY_MS,
    turn: () => deleteOldRequests(deps, keepMs, { until: () => stopping }),
    onError: deps.onError,
  });
  return {
    stop: () => {
      stopping = true;
      return loop.stop();
    },
  };
}

/** `until` lets the caller stop the deletion early, between two batches. */
export async function deleteOldRequests(
  { requestLog, clock }: Pick<ForgetRequestsDeps, 'requestLog' | 'clock'>,
  keepMs: number,
  { batch = BATCH, until = () => false }: { batch?: number; until?: () => boolean } = {},
): Promise<void> {
  const beforeMs = clock.now() - keepMs;
  for (let deleted = batch; deleted === batch && !until(); ) {
    deleted = await requestLog.deleteBefore(beforeMs, batch);
  }
}
