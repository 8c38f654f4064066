// Repeatedly compares the payments of rails with our payouts. It compares each rail separately, so that a slow rail does not
// delay the others. The process that stops a rail writes one log line about it.
import { type GuardPayoutsDeps, guardRail, listGuardedRails } from '../../app/rails/guard-payouts.ts';
import { describeUnexplainedPayment } from '../../domain/rails/rail-texts.ts';
import type { PayoutGuard } from '../../ports/rails/payout-guard.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import { combineLoops, type Loop, startLoop } from '../loop.ts';

export interface GuardPayoutsLoopDeps extends GuardPayoutsDeps {
  readonly banks: RailRegistry;
  readonly payoutGuard: PayoutGuard;
  readonly onStopped: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

/** The worker checks at this interval whether a rail is due for comparison. Each rail has its own comparison interval. */
const LOOK_EVERY_MS = 15_000;
const FORGET_EVERY_MS = 6 * 3_600_000;
/**
 * The links between payments and payouts are deleted after this time, because the comparison never reads a payment list further
 * back.
 */
const KEEP_MS = 90 * 86_400_000;

export function startPayoutGuard(deps: GuardPayoutsLoopDeps, everyMs = LOOK_EVERY_MS): Loop {
  const { onError } = deps;
  const guards = listGuardedRails(deps.banks).map((each) =>
    startLoop({
      everyMs,
      onError,
      turn: async () => {
        const stopped = await guardRail(deps, each);
        if (stopped === null) return;
        const { mode, rail, found } = stopped;
        deps.onStopped('a rail made an unexplained payment: it is paused until people resume it', {
          ...{ mode, rail, payments: found.length, first: describeUnexplainedPayment(found[0]!) },
        });
      },
    }),
  );
  const forgetting = startLoop({
    everyMs: FORGET_EVERY_MS,
    onError,
    turn: () => deps.payoutGuard.forget(deps.clock.now() - KEEP_MS),
  });
  return combineLoops([...guards, forgetting]);
}
