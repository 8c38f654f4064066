// Erases the personal data that is due: data whose erasure was requested, and records that finished longer ago than the
// operator's retention time. Live records that the law requires stay until its time is over. It works in small batches, each in its own commit, so that it can stop at any point and continue
// later.
import { makeErasureLimits, SETTLE_DELAY_MS } from '../../domain/privacy/person-query.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PrivacyStore } from '../../ports/privacy.ts';

export interface EraseDueDataDeps {
  readonly privacy: PrivacyStore;
  readonly clock: Clock;
  /** The retention time, counted from the end of a transaction. Null if the operator set none. */
  readonly keepMs: number | null;
  /** How long the law requires live records, counted from the end of a transaction. */
  readonly byLawMs: number;
  readonly stopping?: () => boolean;
}

export async function eraseDueData(deps: EraseDueDataDeps): Promise<number> {
  const { privacy, clock, keepMs, byLawMs } = deps;
  let total = await eraseRequestedData(deps);
  if (keepMs === null) return total;
  for (const place of privacy.places)
    for (;;) {
      if (deps.stopping?.() === true) return total;
      const limits = makeErasureLimits(clock.now(), Math.max(keepMs, SETTLE_DELAY_MS), byLawMs);
      const { seen, erased } = await privacy.eraseDue(place, limits);
      total += erased;
      if (seen === 0) break;
    }
  return total;
}

/** Erases requested data as soon as it may be erased, even before the retention time ends. */
export async function eraseRequestedData({
  privacy,
  clock,
  byLawMs,
}: Pick<EraseDueDataDeps, 'privacy' | 'clock' | 'byLawMs'>): Promise<number> {
  for (let total = 0; ; ) {
    const limits = makeErasureLimits(clock.now(), SETTLE_DELAY_MS, byLawMs);
    const { seen, erased } = await privacy.eraseRequested(limits);
    total += erased;
    if (seen === 0) return total;
  }
}
