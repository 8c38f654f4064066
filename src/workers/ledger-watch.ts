// Starts what watches over the money: the check of the ledger and the measuring of queues, each on its own, so that
// trouble with one does not blind the other.
import { type CheckLedgerLoop, checkLedgerRepeatedly } from './check-ledger.ts';
import type { Loop } from './loop.ts';
import { type WatchQueuesLoop, watchQueues } from './watch-queues.ts';

const EVERY_MS = 10_000;

export function startLedgerWatch(
  deps: CheckLedgerLoop & WatchQueuesLoop & { readonly everyMs?: number },
): Loop {
  const everyMs = deps.everyMs ?? EVERY_MS;
  const loops = [checkLedgerRepeatedly(deps, everyMs), watchQueues(deps, everyMs)];
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
