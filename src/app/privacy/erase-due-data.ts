// Erases the personal data that is due: data whose erasure was requested, and records that finished longer ago than the
// operator's retention time. It works in small batches, each in its own commit, so that it can stop at any point and continue
// later.
import { SETTLE_DELAY_MS } from '../../domain/privacy/person-query.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PrivacyStore } from '../../ports/privacy.ts';

export interface EraseDueDataDeps {
  readonly privacy: PrivacyStore;
  readonly clock: Clock;
  /** The retention time, counted from the end of a transaction; null if none is set. */
  readonly keepMs: number | null;
  /** If this returns true, the work ends after the current batch. */
  readonly stopping?: () => boolean;
}

/** Erases due rows and returns their number. */
export async function eraseDueData(deps: EraseDueDataDeps): Promise<number> {
  const { privacy, clock, keepMs } = deps;
  let total = await eraseRequestedData(deps);
  if (keepMs === null) return total;
  for (const place of privacy.places)
    for (;;) {
      if (deps.stopping?.() === true) return total;
      const nowMs = clock.now();
      const { seen, erased } = await privacy.eraseDue(
        place,
        nowMs - Math.max(keepMs, SETTLE_DELAY_MS),
        nowMs,
      );
      total += erased;
      if (seen === 0) break;
    }
  return total;
}

/** Erases requested data as soon as its records are finished, even before the retention time ends. */
export async function eraseRequestedData({
  privacy,
  clock,
}: Pick<EraseDueDataDeps, 'privacy' | 'clock'>): Promise<number> {
  for (let total = 0; ; ) {
    const nowMs = clock.now();
    const { seen, erased } = await privacy.eraseRequested(nowMs - SETTLE_DELAY_MS, nowMs);
    total += erased;
    if (seen === 0) return total;
  }
}
