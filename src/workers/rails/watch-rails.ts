// Repeatedly checks the rails and reports the state of each. It checks each rail separately, so that a slow rail does not delay
// the others. The process that pauses or resumes a rail writes one log line about it; the metrics cover all processes together.
import {
  type CheckRailsDeps,
  checkRail,
  listRailsToCheck,
  registerRails,
} from '../../app/rails/check-rails.ts';
import { type RailOverview, type ReadRailsDeps, readRails } from '../../app/rails/read-rails.ts';
import type { Instruments } from '../../ports/instruments.ts';
import { combineLoops, type Loop, startLoop } from '../loop.ts';

export interface CheckRailsLoopDeps extends CheckRailsDeps {
  readonly onPaused: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onResumed: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

const CHECK_EVERY_MS = 5_000;
const REGISTER_EVERY_MS = 30_000;
const REPORT_EVERY_MS = 10_000;

export function startRailChecks(deps: CheckRailsLoopDeps, everyMs = CHECK_EVERY_MS): Loop {
  const { onError } = deps;
  const { promise: registered, resolve } = Promise.withResolvers<void>();
  const registering = startLoop({
    everyMs: REGISTER_EVERY_MS,
    onError,
    turn: () => registerRails(deps).finally(resolve),
  });
  const checks = listRailsToCheck(deps.banks).map((each) =>
    startLoop({
      everyMs,
      onError,
      turn: async () => {
        await registered;
        const turn = await checkRail(deps, each);
        if (turn === null) return;
        const { mode, rail, paused } = turn;
        if (paused === null) deps.onResumed('a rail gets new payouts again', { mode, rail });
        else deps.onPaused('a rail is paused: it gets no new payouts', { mode, rail, why: paused });
      },
    }),
  );
  return combineLoops([registering, ...checks]);
}

export interface RailReportDeps extends ReadRailsDeps {
  readonly instruments: Instruments;
  readonly onError: (error: Error) => void;
}

export function startRailReport(deps: RailReportDeps, everyMs = REPORT_EVERY_MS): Loop {
  const report = makeGauges(deps.instruments);
  return startLoop({ everyMs, onError: deps.onError, turn: async () => report(await readRails(deps)) });
}

/** If the value is undefined, it is not known, and the metric has no series for this rail. */
type ReadRailValue = (rail: RailOverview) => bigint | number | null | undefined;

const GAUGES: readonly (readonly [name: string, help: string, read: ReadRailValue])[] = [
  [
    'sliproad_rail_paused',
    '1 while a rail is paused: it gets no new payouts.',
    ({ pauses }) => (pauses.length > 0 ? 1 : 0),
  ],
  [
    'sliproad_rail_unexplained_payments',
    'Payments of a rail that none of our payouts explains and that people have not closed.',
    ({ guard }) => guard?.unexplained.length ?? 0,
  ],
  [
    'sliproad_rail_compared_seconds',
    'Seconds since the payments of a rail were last compared with our payouts.',
    ({ guard, readAtMs }) => guard && (readAtMs - guard.comparedToMs) / 1_000,
  ],
  [
    'sliproad_rail_success_percent',
    'Percentage of the payouts submitted to a rail in the last 15 minutes that it paid or refused.',
    ({ successPercent }) => successPercent,
  ],
  [
    'sliproad_rail_unknown',
    'Payouts submitted to a rail in the last 15 minutes whose outcome is unknown.',
    ({ figures }) => figures.unknown,
  ],
  [
    'sliproad_rail_latency_p50_seconds',
    'Median time from submitting a payout to a rail until it is known to be paid.',
    ({ figures: { p50Ms } }) => p50Ms && p50Ms / 1_000,
  ],
  [
    'sliproad_rail_latency_p95_seconds',
    '95th percentile of the time from submitting a payout to a rail until it is known to be paid.',
    ({ figures: { p95Ms } }) => p95Ms && p95Ms / 1_000,
  ],
  [
    'sliproad_rail_balance_kobo',
    'The account balance that the rail reports.',
    ({ balance }) => balance?.minor,
  ],
  [
    'sliproad_rail_used_kobo',
    'The total of payouts on a rail today (Lagos time).',
    ({ usedMinor }) => usedMinor,
  ],
  ['sliproad_rail_cap_kobo', 'The daily cap of a rail.', ({ capMinor }) => capMinor],
];

function makeGauges(instruments: Instruments): (rails: readonly RailOverview[]) => void {
  const gauges = GAUGES.map(
    ([name, help, read]) => [instruments.gauge(name, help, ['mode', 'rail']), read] as const,
  );
  return (rails) => {
    for (const [set, read] of gauges)
      set(
        rails.flatMap((each) => {
          const value = read(each) ?? null;
          return value === null
            ? []
            : [{ labels: { mode: each.mode, rail: each.rail }, value: Number(value) }];
        }),
      );
  };
}
