// Queueing a range of webhooks reads and writes thousands of rows. Many simultaneous ranges of one business would delay other
// businesses.
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, type Result } from '../../domain/values/result.ts';

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
