// Deletes Idempotency-Keys after their retention time. The reference of a transaction never expires, so a late retry still cannot
// create a second transaction.
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY_MS = 10 * 60_000;

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
