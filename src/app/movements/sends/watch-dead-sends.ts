// Queries bytes that were declared dead for a week. If such bytes landed in the network after all, a proof was wrong. Then the
// sends of that asset stop before the mistake is repeated.
import type { Mode } from '../../../domain/values/mode.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { TreasuryWatch } from '../../../ports/treasury.ts';
import type { TreasuryGuard } from '../../treasury/guard-treasury.ts';
import { envelopeOf } from './attempts.ts';

const WATCHED_MS = 7 * 24 * 60 * 60_000;
const AT_ONCE = 50;

export interface DeadSendsDeps {
  readonly treasuryWatch: Pick<TreasuryWatch, 'deadSends'>;
  readonly guard: Pick<TreasuryGuard, 'stopLanded'>;
  readonly clock: Clock;
}

/**
 * Queries a batch of dead attempts, starting after the given hash. Returns the number of queries and the last hash, or null
 * instead of the hash if there are no more attempts.
 */
export async function watchDeadSends(
  deps: DeadSendsDeps,
  mode: Mode,
  network: Network,
  after: string,
): Promise<{ readonly asked: number; readonly after: string | null }> {
  const sinceMs = deps.clock.now() - WATCHED_MS;
  const attempts = await deps.treasuryWatch.deadSends(mode, network.name, { sinceMs, after, limit: AT_ONCE });
  // If one provider shows the bytes, the sends stop at once, because the next query may fail.
  for (const attempt of attempts)
    if (await network.shows(envelopeOf(attempt)))
      await deps.guard.stopLanded(mode, network, [attempt.reference]);
  const last = attempts.length < AT_ONCE ? null : attempts.at(-1)!.reference;
  return { asked: attempts.length, after: last };
}
