// Whether the balance of a treasury changed by exactly the listed transfers. Lists and balances come from different servers: a
// difference makes sends wait at once, and halts them only if it lasts.
import { describeFinding, unlistedFinding } from '../../domain/movements/outflows.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Network } from '../../ports/networks/network.ts';
import { omitAcceptedFindings, type StopSends, type StopSendsDeps } from './stop-sends.ts';

// When a low treasury is really short, and its provider does not only lag.

/**
 * Sends wait as soon as a balance is short. They are halted if it stays short for longer than any provider may lag, and over a
 * minimum number of readings.
 */
export const SHORT_FOR_MS = 5 * 60_000;
export const SHORT_READINGS = 3;

/** Null: the balance matches. Otherwise the reason why nothing may be signed now. */
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
