// Whether the balance of a treasury changed exactly by the listed transfers. Lists and balances come from different servers. So a
// difference makes sends wait at once, but halts them only if it lasts.
import { describeFinding, unlistedFinding } from '../../domain/movements/outflows.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Network } from '../../ports/networks/network.ts';
import { omitAcceptedFindings, type StopSends, type StopSendsDeps } from './stop-sends.ts';

// How to tell that tokens are really missing from a treasury, and not only that its provider is behind.

/**
 * Sends wait as soon as the balance is too low. They are halted if it stays too low for longer than a provider can be behind, and
 * over a minimum number of readings.
 */
export const SHORT_FOR_MS = 5 * 60_000;
export const SHORT_READINGS = 3;

/** Null: the balance matches. Otherwise returns the reason why nothing may be signed now. */
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
