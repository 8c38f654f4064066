// Bytes that were declared dead are asked about for a week: one that landed after all means that a proof was wrong, and
// sends of that asset stop before the mistake is made again.
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

/** Asks about some of them, after a hash. Answers how many, and after which hash to go on; null: that was the last. */
export async function watchDeadSends(
  deps: DeadSendsDeps,
  mode: Mode,
  network: Network,
  after: string,
): Promise<{ readonly asked: number; readonly after: string | null }> {
  const sinceMs = deps.clock.now() - WATCHED_MS;
  const attempts = await deps.treasuryWatch.deadSends(mode, network.name, { sinceMs, after, limit: AT_ONCE });
  // One provider that shows it is enough to stop, at once: the next question may fail.
  for (const attempt of attempts)
    if (await network.shows(envelopeOf(attempt)))
      await deps.guard.stopLanded(mode, network, [attempt.reference]);
  const last = attempts.length < AT_ONCE ? null : attempts.at(-1)!.reference;
  return { asked: attempts.length, after: last };
}
