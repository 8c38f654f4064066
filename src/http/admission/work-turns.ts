// Limits how many tasks run at the same time: a number of them in a process, or one range of webhooks of a business.
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, type Result } from '../../domain/values/result.ts';

/** The others wait in the order of their arrival. Many clients that reconnect at once must not take all database connections. */
export interface WorkTurns {
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function makeWorkTurns(atOnce: number): WorkTurns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    take: async (work) => {
      if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        // A finished task passes its turn to the next waiting task, so that no later task overtakes that task.
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

// Lets each business queue only one range of webhooks at a time. To queue a range, the service reads and writes thousands of
// rows, so several ranges at once would delay other businesses.

const RANGE_UNDER_WAY = refusal(
  'rate_limited',
  'Another request of this business is already queueing a range of events. Send the next request after that one has been answered.',
);

export type OneRangeAtATime = <T>(
  businessId: string,
  work: () => Promise<Result<T, Refusal>>,
) => Promise<Result<T, Refusal>>;

export function makeOneRangeAtATime(): OneRangeAtATime {
  const businesses = new Set<string>();
  return async (businessId, work) => {
    if (businesses.has(businessId)) return fail(RANGE_UNDER_WAY);
    businesses.add(businessId);
    try {
      return await work();
    } finally {
      businesses.delete(businessId);
    }
  };
}
