// Asks rails again about payouts that have ended, when they are due. Rows are leased, so several processes ask once.
import type { SettlementDeps } from '../app/engine/deps.ts';
import { watchEndedPayouts } from '../app/movements/payouts/watch-ended-payouts.ts';
import type { Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';

export function startEndedPayoutWatch(
  deps: SettlementDeps,
  options: {
    readonly everyMs: number;
    readonly guards: Pick<Guards, 'guard'>;
    readonly onError: (error: Error) => void;
    /** There are notices to handle. */
    readonly onNews: () => void;
  },
): Loop {
  const { everyMs, guards, onError, onNews } = options;
  // A rail that is away must not stop the others: it is said, and nothing waits.
  const guard = guards.guard({ name: 'The watch over payouts that ended', everyMs, stops: 'nothing' });
  return startLoop({
    everyMs,
    guard,
    onError,
    turn: async () => {
      // As long as there are some: after a stop there may be many.
      for (let { asked, news } = await watchEndedPayouts(deps); asked > 0; ) {
        guard.progressed();
        if (news > 0) onNews();
        ({ asked, news } = await watchEndedPayouts(deps));
      }
    },
  });
}
