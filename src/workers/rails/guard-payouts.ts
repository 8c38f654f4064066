// Compares the payments of rails with our payouts again and again. A rail that is stopped is logged once, by the process that did it.
import { type GuardPayoutsDeps, guardPayouts } from '../../app/rails/guard-payouts.ts';
import { describeUnexplained } from '../../domain/rails/words.ts';
import type { PayoutGuard } from '../../ports/rails/payout-guard.ts';
import { type Loop, startLoop } from '../loop.ts';

export interface GuardPayoutsLoop extends GuardPayoutsDeps {
  readonly payoutGuard: PayoutGuard;
  readonly onStopped: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

/** A rail is compared when it is due; this is only how often that is looked for. */
const LOOK_EVERY_MS = 15_000;
const FORGET_EVERY_MS = 6 * 3_600_000;
/** No list is read from so far back. */
const KEEP_MS = 90 * 86_400_000;

export function startPayoutGuard(deps: GuardPayoutsLoop, everyMs = LOOK_EVERY_MS): Loop {
  let forgotAtMs = Number.NEGATIVE_INFINITY;
  return startLoop({
    everyMs,
    onError: deps.onError,
    turn: async () => {
      for (const { mode, rail, found } of await guardPayouts(deps))
        deps.onStopped('a rail has paid what we do not know: it is paused until people resume it', {
          ...{ mode, rail, payments: found.length, first: describeUnexplained(found[0]!) },
        });
      const nowMs = deps.clock.now();
      if (nowMs - forgotAtMs < FORGET_EVERY_MS) return;
      await deps.payoutGuard.forget(nowMs - KEEP_MS);
      forgotAtMs = nowMs;
    },
  });
}
