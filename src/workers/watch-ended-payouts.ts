// Queries rails again about payouts that have ended, when they are due. Rows are leased, so only one of several processes
// queries.
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
    /** Called when there are notices to handle. */
    readonly onNews: () => void;
  },
): Loop {
  const { everyMs, guards, onError, onNews } = options;
  // An unreachable rail must not stop the others: it is reported, and nothing waits for it.
  const guard = guards.guard({ name: 'The watch over payouts that ended', everyMs, stops: 'nothing' });
  return startLoop({
    everyMs,
    guard,
    onError,
    turn: async () => {
      // Repeats while payouts are due: after a stop there may be many.
      for (let { asked, news } = await watchEndedPayouts(deps); asked > 0; ) {
        guard.progressed();
        if (news > 0) onNews();
        ({ asked, news } = await watchEndedPayouts(deps));
      }
    },
  });
}
