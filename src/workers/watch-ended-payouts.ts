// Queries rails again about finished payouts when these are due. Rows are leased, so only one process queries for each.
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
    /** Called when there are new notices to process. */
    readonly onNews: () => void;
  },
): Loop {
  const { everyMs, guards, onError, onNews } = options;
  // An unreachable rail must not stop the others: it is reported, and no money waits for it.
  const guard = guards.guard({ name: 'The watch over payouts that ended', everyMs, stops: 'nothing' });
  return startLoop({
    everyMs,
    guard,
    onError,
    turn: async () => {
      // Repeats while payouts are due: after a pause of the service there may be many.
      for (let { asked, news } = await watchEndedPayouts(deps); asked > 0; ) {
        guard.progressed();
        if (news > 0) onNews();
        ({ asked, news } = await watchEndedPayouts(deps));
      }
    },
  });
}
