// The stage that asks banks about the accounts of accepted sells. Each turn first queues what was accepted, then leases what is
// due: whatever a process that died had queued or leased, another one asks.
import {
  type AskAboutSellsDeps,
  askAboutSells,
  queueAcceptedSells,
} from '../../app/enquiries/ask-about-sells.ts';
import type { DueEnquiry } from '../../ports/enquiries/enquiries.ts';
import { type Stage, startStage } from '../stage.ts';

/** So many questions to banks are under way at once in this process. */
const AT_ONCE = 20;

export function startAskingAboutSells(
  deps: AskAboutSellsDeps,
  leaseMs: number,
  onError: (error: Error) => void,
): Stage<DueEnquiry> {
  return startStage<DueEnquiry>({
    lease: async (limit) => {
      await queueAcceptedSells(deps);
      return deps.enquiries.lease({ atMs: deps.clock.now(), leaseMs, limit });
    },
    work: (due) => askAboutSells(deps, due),
    maxBatch: AT_ONCE,
    onError,
  });
}
