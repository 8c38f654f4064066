// Compares the change of a treasury's balance with the listed transfers. Lists and balances come from different servers. So a
// difference makes the sends wait at once, but halts them only if it lasts.
import { describeFinding, unlistedFinding } from '../../domain/movements/outflows.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Network } from '../../ports/networks/network.ts';
import { omitAcceptedFindings, type StopSends, type StopSendsDeps } from './stop-sends.ts';

// These limits show whether tokens are really missing from a treasury, or whether its provider is only out of date.

/**
 * The sends wait as soon as the balance is too low. They are halted if several readings show this for longer than a provider
 * can be out of date.
 */
export const SHORT_FOR_MS = 5 * 60_000;
export const SHORT_READINGS = 3;

/** Returns null if the balance matches, or otherwise the reason why the service may sign nothing now. */
export type JudgeBalance = (
  mode: Mode,
  network: Network,
  from: string,
  unlistedMinor: bigint,
) => Promise<string | null>;

export function makeBalanceJudge({
  treasuryWatch,
  clock,
  stop,
}: Omit<StopSendsDeps, 'onTrouble'> & { readonly stop: StopSends }): JudgeBalance {
  const unlisted = new Map<string, { readonly sinceMs: number; readonly readings: number }>();
  return async (mode, network, from, unlistedMinor) => {
    const name = `${mode} ${network.name}`;
    if (unlistedMinor === 0n) {
      unlisted.delete(name);
      return null;
    }
    const before = unlisted.get(name) ?? { sinceMs: clock.now(), readings: 0 };
    const now = { ...before, readings: before.readings + 1 };
    unlisted.set(name, now);
    const finding = unlistedFinding(from, unlistedMinor);
    const isLasting = clock.now() - now.sinceMs >= SHORT_FOR_MS && now.readings >= SHORT_READINGS;
    const open = isLasting
      ? await stop(mode, network, [finding])
      : await omitAcceptedFindings(treasuryWatch, mode, network, [finding]);
    if (open[0] !== undefined) return describeFinding(open[0]);
    unlisted.delete(name);
    return null;
  };
}
