// Reads everything that pages show about a rail: whether it gets new payouts and why not, the results of its payouts, its
// routes and its cap. The overview also has the naira in its account according to the ledger and to the rail.
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { actorKind } from '../../domain/people/actor.ts';
import { HEALTH_WINDOW_MS, pauseMs, type RailFigures, successPercent } from '../../domain/rails/health.ts';
import type { RailState } from '../../domain/rails/rail-texts.ts';
import {
  type RailDoubt,
  type RailPause,
  type RailSettings,
  type Route,
  usageKey,
} from '../../domain/rails/settings.ts';
import { lagosDay, lagosDayStart } from '../../domain/values/calendar.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RailGuard, RailStore, ReportedBalance, StoredRail } from '../../ports/rails/rail-store.ts';
import type { Store } from '../../ports/store/store.ts';

export interface ReadRailsDeps {
  readonly railDesk: Pick<RailStore, 'list' | 'settings' | 'figures' | 'usedMinor' | 'guards'>;
  readonly store: Pick<Store, 'balances' | 'usage'>;
  readonly clock: Clock;
}

export interface RailOverview {
  readonly readAtMs: number;
  readonly mode: Mode;
  readonly rail: string;
  /** The account of the rail, by its name in the ledger. Null for the simulated bank. */
  readonly account: string | null;
  readonly state: RailState;
  readonly pauses: readonly RailPause[];
  /**
   * Set if the rail paid a payout that it had refused, and people have not trusted it again since. Null if the service trusts
   * the rail.
   */
  readonly doubt: RailDoubt | null;
  /** The results of the attempts in the last 15 minutes, or since the rail was resumed. */
  readonly figures: RailFigures;
  readonly successPercent: number | null;
  readonly probedAtMs: number | null;
  readonly probeFailure: string | null;
  /** The findings of the rail's guard. Null if the guard has compared nothing yet. */
  readonly guard: RailGuard | null;
  /** The health check does not resume the rail before this time. Null if the health check has not paused the rail. */
  readonly resumesNotBeforeMs: number | null;
  readonly routes: readonly Route[];
  /** Null means that the rail has no cap. */
  readonly capMinor: bigint | null;
  /** The amount of the rail's payouts today (Lagos time). */
  readonly usedMinor: bigint;
  readonly freeMinor: bigint;
  readonly reservedMinor: bigint;
  readonly balance: ReportedBalance | null;
}

/** A rail counts as running if a process reported the rail within this time. Each process reports every half minute. */
const SEEN_WITHIN_MS = 5 * 60_000;

export async function readRails(deps: ReadRailsDeps, mode?: Mode): Promise<readonly RailOverview[]> {
  const { railDesk, store } = deps;
  const [stored, settings, guards] = await Promise.all([
    railDesk.list(),
    railDesk.settings(),
    railDesk.guards(),
  ]);
  const rails = stored.filter((each) => mode === undefined || each.mode === mode);
  const balances = await store.balances(rails.flatMap((each) => [freeKey(each), reservedKey(each)]));
  return Promise.all(rails.map((each) => readRail(deps, each, { settings, guards, balances })));
}

export async function readRoutes(
  { railDesk }: Pick<ReadRailsDeps, 'railDesk'>,
  mode?: Mode,
): Promise<readonly Route[]> {
  const { routes } = await railDesk.settings();
  return routes.filter((route) => mode === undefined || route.mode === mode);
}

interface SharedRailReads {
  readonly settings: RailSettings;
  readonly guards: readonly RailGuard[];
  readonly balances: ReadonlyMap<string, bigint>;
}

async function readRail(
  { railDesk, store, clock }: ReadRailsDeps,
  stored: StoredRail,
  { settings, guards, balances }: SharedRailReads,
): Promise<RailOverview> {
  const { mode, rail, account, probedAtMs, probeFailure, pausedAtMs } = stored;
  const nowMs = clock.now();
  const own = (each: { readonly mode: Mode; readonly rail: string }) =>
    each.mode === mode && each.rail === rail;
  const figures = await railDesk.figures(
    stored,
    Math.max(stored.judgedFromMs, nowMs - HEALTH_WINDOW_MS),
    nowMs,
  );
  const cap = settings.caps.find(own);
  const [counted] =
    cap === undefined
      ? [await railDesk.usedMinor(stored, lagosDayStart(nowMs))]
      : await store.usage([{ businessId: usageKey(rail), mode, period: lagosDay(nowMs) }]);
  return {
    readAtMs: nowMs,
    ...{ mode, rail, account, probedAtMs, probeFailure, figures, balance: stored.balance },
    state: stateOf(stored, settings, nowMs),
    pauses: settings.pauses.filter(own),
    doubt: settings.doubts.find(own) ?? null,
    guard: guards.find(own) ?? null,
    successPercent: successPercent(figures),
    resumesNotBeforeMs: pausedAtMs === null ? null : pausedAtMs + pauseMs(stored.pauses),
    routes: settings.routes.filter(own),
    capMinor: cap?.perDayMinor ?? null,
    usedMinor: counted!,
    freeMinor: balances.get(freeKey(stored)) ?? 0n,
    reservedMinor: balances.get(reservedKey(stored)) ?? 0n,
  };
}

function stateOf(
  { mode, rail, seenAtMs }: StoredRail,
  { pauses, routes }: RailSettings,
  nowMs: number,
): RailState {
  if (nowMs - seenAtMs > SEEN_WITHIN_MS) return 'not_running';
  const own = pauses.filter((pause) => pause.mode === mode && pause.rail === rail);
  const lasting = own.find(({ byHealth }) => !byHealth);
  if (lasting !== undefined)
    return actorKind(lasting.actor) === 'service' ? 'paused_by_guard' : 'paused_by_people';
  if (own.length > 0) return 'paused_by_health';
  const table = routes.filter((route) => route.mode === mode);
  const isRouted = table.length === 0 || table.some((route) => route.rail === rail && route.enabled);
  return isRouted ? 'in_use' : 'without_route';
}

function freeKey({ mode, account }: StoredRail): string {
  return ledgerKey(mode, NAIRA, 'bank_out', account);
}

function reservedKey({ mode, account }: StoredRail): string {
  return ledgerKey(mode, NAIRA, 'bank_reserved', account);
}
