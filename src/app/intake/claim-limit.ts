// Decides whether a business has made too many unpaid buys. Every acceptance checks this, so the count comes from memory. The
// service reads the count from the database every few seconds. Meanwhile it may accept a few buys too many.
import type { Mode } from '../../domain/values/mode.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClaimLimits } from '../../ports/matching.ts';

export interface ClaimLimit {
  /** Returns undefined if the business may make another buy. */
  refuse(businessId: string, mode: Mode): Refusal | undefined;
}

export const NO_CLAIM_LIMIT: ClaimLimit = { refuse: () => undefined };

const HOUR_MS = 3_600_000;
const READ_AGAIN_MS = 5_000;

export interface ClaimLimitDeps {
  readonly claimLimits: Pick<ClaimLimits, 'countUnmatched'>;
  readonly clock: Clock;
  readonly most: number;
  readonly windowMs: number;
  readonly onError: (error: Error) => void;
}

interface UnmatchedCount {
  count: number;
  readAtMs: number;
  reading: boolean;
}

export function makeClaimLimit({ claimLimits, clock, most, windowMs, onError }: ClaimLimitDeps): ClaimLimit {
  if (most === 0) return NO_CLAIM_LIMIT;
  const known = new Map<string, UnmatchedCount>();
  const read = async (businessId: string, mode: Mode, into: UnmatchedCount) => {
    into.reading = true;
    try {
      into.count = await claimLimits.countUnmatched(businessId, mode, clock.now());
      into.readAtMs = clock.now();
    } catch (error) {
      // This error does not refuse the buy. If the database is unreachable, the acceptance of the buy fails and reports this
      // itself.
      onError(error as Error);
    } finally {
      into.reading = false;
    }
  };
  return {
    refuse: (businessId, mode) => {
      const key = `${mode} ${businessId}`;
      const found = known.get(key) ?? { count: 0, readAtMs: 0, reading: false };
      known.set(key, found);
      if (!found.reading && clock.now() - found.readAtMs >= READ_AGAIN_MS) void read(businessId, mode, found);
      if (found.count < most) return undefined;
      return unmatchedClaimsReached(most, windowMs / HOUR_MS);
    },
  };
}

export function unmatchedClaimsReached(most: number, windowHours: number): Refusal {
  return refusal(
    'unmatched_claims_reached',
    `${most} buys of this business expired without a payment in the last ${windowHours} hours. ` +
      'Submit a buy only when the customer pays. New buys are accepted again once the old ones are outside this window, ' +
      'or when the operator lifts the limit.',
  );
}
