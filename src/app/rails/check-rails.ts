// Probes a rail that makes payouts, evaluates its recent attempts, and pauses or resumes it. One process at a time checks a
// rail, under a lease. If a process loses the lease, its results are not written. The check of a slow rail does not delay the
// other rails.
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import { HEALTH_WINDOW_MS, judgeHealth, PROBE_EVERY_MS } from '../../domain/rails/health.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PayingRail, Rail, RailRegistry } from '../../ports/rails/rail.ts';
import type { ConfiguredRail, LeasedRail, RailStore } from '../../ports/rails/rail-store.ts';

export interface CheckRailsDeps {
  readonly banks: RailRegistry;
  readonly railDesk: Pick<RailStore, 'register' | 'lease' | 'figures' | 'save'>;
  readonly clock: Clock;
}

export interface RailPauseChange {
  readonly mode: Mode;
  readonly rail: string;
  /** The reason for the pause. Null if the rail was resumed. */
  readonly paused: string | null;
}

/** The lease of a check. It is longer than a probe, which takes at most two calls of two minutes each. */
const LEASE_MS = 5 * 60_000;

export async function registerRails({ banks, railDesk, clock }: CheckRailsDeps): Promise<void> {
  const rails = MODES.flatMap((mode) =>
    listPayingRails(banks, mode).map(
      ({ rail: { name: rail, account } }, place): ConfiguredRail => ({
        ...{ mode, rail, place },
        account: account === null ? null : accountDetail(account.bankCode, account.number),
      }),
    ),
  );
  if (rails.length > 0) await railDesk.register(rails, clock.now());
}

export interface RailInMode {
  readonly mode: Mode;
  readonly rail: PayingRail;
}

export function listRailsToCheck(banks: RailRegistry): readonly RailInMode[] {
  return MODES.flatMap((mode) => listPayingRails(banks, mode));
}

/** Returns null if the check was not due, if another process makes it, or if nothing has changed. */
export async function checkRail(
  deps: CheckRailsDeps,
  { mode, rail }: RailInMode,
): Promise<RailPauseChange | null> {
  const { railDesk, clock } = deps;
  const leased = await railDesk.lease({ mode, rail: rail.name }, clock.now(), LEASE_MS);
  return leased === undefined ? null : judgeLeasedRail(deps, rail, leased);
}

async function judgeLeasedRail(
  { railDesk, clock }: CheckRailsDeps,
  rail: PayingRail,
  { stored, fence }: LeasedRail,
): Promise<RailPauseChange | null> {
  const { mode } = stored;
  const of = { mode, rail: rail.name };
  const { failure: unanswered, balanceMinor } = await probeRail(rail);
  const failure = unanswered ?? rail.whySilent?.() ?? null;
  const atMs = clock.now();
  const figures = await railDesk.figures(of, Math.max(stored.judgedFromMs, atMs - HEALTH_WINDOW_MS), atMs);
  const { next, pause, resumed } = judgeHealth(stored, figures, failure, atMs);
  const written = await railDesk.save({
    ...{ ...of, fence, atMs, dueAtMs: atMs + PROBE_EVERY_MS, next },
    ...{ probeFailure: failure, balanceMinor, pause, resumed },
  });
  return written && (pause !== null || resumed) ? { ...of, paused: pause } : null;
}

interface ProbeAnswer {
  readonly failure: string | null;
  readonly balanceMinor: bigint | null;
}

/**
 * A rail that reports no balance may still pay. So the service queries this rail about a payout that does not exist, and any
 * response counts as healthy. It does not ask for the owner of the rail's account, because many rails cannot look up accounts
 * at their own bank. The simulated bank is always healthy.
 */
async function probeRail({ payouts, account }: PayingRail): Promise<ProbeAnswer> {
  const balance = await payouts.balance();
  if (balance.kind === 'known') return { failure: null, balanceMinor: balance.availableMinor };
  if (account === null) return { failure: null, balanceMinor: null };
  const status = await payouts.ask(PROBE_REFERENCE);
  const failure =
    status.kind === 'unknown'
      ? `${status.reason}; the balance cannot be read either: ${balance.reason}`
      : null;
  return { failure, balanceMinor: null };
}

/** This reference has the usual form of a movement, so that no rail rejects it as malformed. No movement has it. */
const PROBE_REFERENCE = 'mov-00000000000000000000000000';

function listPayingRails(banks: RailRegistry, mode: Mode): readonly RailInMode[] {
  const pays = (rail: Rail): rail is PayingRail => rail.payouts !== null;
  return banks
    .enabled(mode)
    .filter(pays)
    .map((rail) => ({ mode, rail }));
}
