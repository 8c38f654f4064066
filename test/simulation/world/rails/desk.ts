// The stored data about rails, in memory: the operator's settings, the health of each rail, and which process checks it. An
// unhealthy rail is paused, and resumes only after it has responded for a while. This file counts these responses separately
// from the service.
import { PENDING_LONG_MS, type RailFigures } from '../../../../src/domain/rails/health.ts';
import type { RailCap, RailPause, Route } from '../../../../src/domain/rails/settings.ts';
import type { Attempt } from '../../../../src/domain/records/movement.ts';
import type {
  ConfiguredRail,
  ProbeResult,
  RailStore,
  StoredRail,
} from '../../../../src/ports/rails/rail-store.ts';
import type { Sync, Tables } from '../../model/tables.ts';
import { MODE } from '../../people/company.ts';
import type { Tale } from '../../report/tell.ts';

export interface RailMemory {
  routes: readonly Route[];
  caps: readonly RailCap[];
  readonly capsSince: { readonly atMs: number; readonly caps: readonly RailCap[] }[];
  pauses: readonly RailPause[];
  generation: number;
  readonly rails: Map<string, KeptRail>;
}

export interface KeptRail {
  readonly stored: StoredRail;
  readonly fence: bigint;
  readonly dueAtMs: number;
  readonly figures: RailFigures | null;
  /** The saved number of successful probes in a row. */
  readonly answered: number;
}

export function emptyRailMemory(): RailMemory {
  const capsSince = [{ atMs: Number.NEGATIVE_INFINITY, caps: [] }];
  return { routes: [], caps: [], capsSince, pauses: [], generation: 0, rails: new Map() };
}

export function setCaps(memory: RailMemory, caps: readonly RailCap[], atMs: number): void {
  memory.caps = caps;
  memory.capsSince.push({ atMs, caps });
  memory.generation++;
}

/** The health check or the operator pauses the rail. Both pauses may exist at once. */
export function pauseRail(memory: RailMemory, pause: RailPause): void {
  memory.pauses = [...memory.pauses, pause];
  memory.generation++;
}

export function resumeRail(memory: RailMemory, rail: string, byHealth: boolean): void {
  memory.pauses = memory.pauses.filter((each) => each.rail !== rail || each.byHealth !== byHealth);
  memory.generation++;
}

/** The time of the next rail check; Infinity once there are no faults and no pauses by the health check. */
export function railDueAtMs({ rails, pauses }: RailMemory, isCalm: boolean): number {
  if (isCalm && !pauses.some(({ byHealth }) => byHealth)) return Number.POSITIVE_INFINITY;
  return Math.min(...[...rails.values()].map(({ dueAtMs }) => dueAtMs));
}

const SHORTEST_PAUSE_MS = 120_000;
const PROBES = 3;
const ENOUGH = 5;
/** The maximum difference between the clocks of two processes. */
const SKEW_MS = 45_000;

type Desk = Sync<Pick<RailStore, 'register' | 'lease' | 'figures' | 'save'>>;

export function railCore(
  memory: RailMemory,
  {
    tables,
    now,
    broken,
    tale,
  }: {
    readonly broken: (promise: string, detail: string, subject: string | null) => void;
    readonly tale: Tale;
    readonly tables: () => Tables;
    readonly now: () => number;
  },
): Desk {
  const { rails } = memory;
  const pausedAtMs = (rail: string) =>
    memory.pauses.find((each) => each.rail === rail && each.byHealth)?.sinceMs ?? null;
  const isRight = ({ rail, atMs, pause, resumed, probeFailure }: ProbeResult, kept: KeptRail) => {
    const answered = probeFailure === null ? kept.answered + 1 : 0;
    const sinceMs = pausedAtMs(rail);
    if (resumed && (sinceMs === null || atMs - sinceMs < SHORTEST_PAUSE_MS - SKEW_MS || answered < PROBES))
      broken('a rail that was sick is not resumed at once', `${rail} after ${answered} probes`, null);
    if (sinceMs === null && pause === null && kept.figures !== null && isSick(kept.figures))
      broken('a sick rail is paused', `${rail}: ${JSON.stringify(kept.figures)}`, null);
    return answered;
  };
  return {
    register: (given, atMs) => {
      for (const each of given)
        if (each.mode === MODE && !rails.has(each.rail)) rails.set(each.rail, newlyKept(each, atMs));
    },
    lease: ({ rail }, atMs, leaseMs) => {
      const kept = rails.get(rail);
      if (kept === undefined || kept.dueAtMs > atMs) return undefined;
      const fence = kept.fence + 1n;
      rails.set(rail, { ...kept, fence, dueAtMs: atMs + leaseMs });
      return { stored: { ...kept.stored, pausedAtMs: pausedAtMs(rail) }, fence };
    },
    figures: ({ rail }, fromMs, nowMs) => {
      const figures = figuresOf(tables(), rail, fromMs, nowMs);
      rails.set(rail, { ...rails.get(rail)!, figures });
      return figures;
    },
    save: (probed) => {
      const { rail, fence, atMs, dueAtMs, next, probeFailure, pause, resumed } = probed;
      const kept = rails.get(rail)!;
      if (kept.fence !== fence) return false;
      const answered = isRight(probed, kept);
      const stored = { ...kept.stored, ...next, probedAtMs: atMs, probeFailure };
      rails.set(rail, { ...kept, stored, fence: fence + 1n, dueAtMs, answered });
      if (resumed) resumeRail(memory, rail, true);
      if (pause !== null)
        pauseRail(memory, {
          mode: MODE,
          rail,
          byHealth: true,
          actor: 'health',
          reason: pause,
          sinceMs: now(),
        });
      if (resumed || pause !== null) tale.line('health', `${rail}: ${pause ?? 'resumed'}`);
      return true;
    },
  };
}

function newlyKept(rail: ConfiguredRail, atMs: number): KeptRail {
  const health = { goodProbes: 0, badProbes: 0, pauses: 0, pausedAtMs: null, judgedFromMs: atMs };
  const stored = { ...rail, ...health, seenAtMs: atMs, probedAtMs: null, probeFailure: null, balance: null };
  return { stored, fence: 0n, dueAtMs: atMs, figures: null, answered: 0 };
}

function figuresOf({ attempts }: Tables, rail: string, fromMs: number, nowMs: number): RailFigures {
  const own = [...attempts.values()].flat().filter((each) => each.rail === rail && each.atMs >= fromMs);
  const count = (isMeant: (attempt: Attempt) => boolean) => own.filter(isMeant).length;
  const byRail = ({ evidence }: Attempt) => evidence?.fault === 'rail';
  const isStuck = ({ state, atMs }: Attempt) => state === 'accepted' && atMs < nowMs - PENDING_LONG_MS;
  const isDeclined = ({ state, evidence }: Attempt) =>
    state === 'unknown' && (evidence?.refused as { fault?: string } | undefined)?.fault === 'payout';
  return {
    landed: count(({ state }) => state === 'landed'),
    refused: count(
      (each) => isDeclined(each) || (['failed', 'rejected'].includes(each.state) && !byRail(each)),
    ),
    failed: count((each) => ['failed', 'dead'].includes(each.state) && byRail(each)),
    unknown: count((each) => isStuck(each) || (each.state === 'unknown' && !isDeclined(each))),
    underWay: count((each) => each.state === 'prepared' || (each.state === 'accepted' && !isStuck(each))),
    p50Ms: null,
    p95Ms: null,
  };
}

function isSick({ landed, refused, failed, unknown }: RailFigures): boolean {
  const judged = landed + refused + failed + unknown;
  return judged >= ENOUGH && (failed + unknown) * 2 > judged;
}
