// Asks rails again about payouts that have ended, when they are due. Rows are leased, so several processes ask once.
import { watchEndedPayouts } from '../app/movements/watch-ended-payouts.ts';
import type { SettlementDeps } from '../app/settlement/context.ts';
import { type Loop, startLoop } from './loop.ts';

export function startEndedPayoutWatch(
  deps: SettlementDeps,
  options: {
    readonly everyMs: number;
    readonly onError: (error: Error) => void;
    /** There are notices to handle. */
    readonly onNews: () => void;
  },
): Loop {
  const { everyMs, onError, onNews } = options;
  return startLoop({
    everyMs,
    onError,
    turn: async () => {
      // As long as there are some: after a stop there may be many.
      for (let { asked, news } = await watchEndedPayouts(deps); asked > 0; ) {
        if (news > 0) onNews();
        ({ asked, news } = await watchEndedPayouts(deps));
      }
    },
  });
}
