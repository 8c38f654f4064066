// Reports the state of rail events, alerts when a rail sends no events, and deletes processed events.
import {
  type RailEventReading,
  type ReadRailEventsDeps,
  readRailEvents,
} from '../../app/rails/read-rail-events.ts';
import type { Instruments } from '../../ports/instruments.ts';
import type { RailEventQueue } from '../../ports/rails/rail-event-store.ts';
import { type Loop, startLoop } from '../loop.ts';

export interface RailEventUpkeepDeps extends ReadRailEventsDeps {
  readonly railEvents: ReadRailEventsDeps['railEvents'] & Pick<RailEventQueue, 'forget'>;
  readonly instruments: Instruments;
  readonly onSilent: (detail: { readonly mode: string; readonly rail: string }) => void;
  readonly onError: (error: Error) => void;
}

const REPORT_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 10 * 60_000;
const BATCH = 1_000;
const DAY_MS = 86_400_000;
/**
 * Events are deleted after this time, because they contain names and account numbers. The credits that resulted from them are
 * kept unchanged.
 */
const KEEP_MS = 30 * DAY_MS;
const KEEP_REVIEW_MS = 180 * DAY_MS;

const GAUGES: readonly (readonly [
  name: string,
  help: string,
  read: (reading: RailEventReading) => number,
])[] = [
  [
    'sliproad_rail_events_open',
    'Stored events of a rail that are not verified with the rail yet.',
    ({ open }) => open,
  ],
  [
    'sliproad_rail_events_in_review',
    'Stored events about payments that the rail does not know. A person must review them.',
    ({ inReview }) => inReview,
  ],
  [
    'sliproad_rail_events_silent',
    '1 while a rail has credits but sends no events: its webhook address may be wrong.',
    ({ isSilent }) => (isSilent ? 1 : 0),
  ],
];

export function startRailEventReport(deps: RailEventUpkeepDeps, everyMs = REPORT_EVERY_MS): Loop {
  const gauges = GAUGES.map(
    ([name, help, read]) => [deps.instruments.gauge(name, help, ['mode', 'rail']), read] as const,
  );
  return startLoop({
    everyMs,
    onError: deps.onError,
    turn: async () => {
      const readings = await readRailEvents(deps);
      for (const [set, read] of gauges)
        set(readings.map((each) => ({ labels: { mode: each.mode, rail: each.rail }, value: read(each) })));
      for (const { mode, rail, isSilent } of readings) if (isSilent) deps.onSilent({ mode, rail });
    },
  });
}

export function startForgettingRailEvents({ railEvents, clock, onError }: RailEventUpkeepDeps): Loop {
  return startLoop({
    everyMs: FORGET_EVERY_MS,
    onError,
    turn: async () => {
      const nowMs = clock.now();
      const before = { overMs: nowMs - KEEP_MS, reviewMs: nowMs - KEEP_REVIEW_MS };
      while ((await railEvents.forget(before, BATCH)) >= BATCH);
    },
  });
}
