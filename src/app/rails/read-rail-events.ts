// The state of rail events: how many wait for an answer of their rail, how many a person must review, and whether a rail that
// should send events sends none. Its list of transactions then still finds every credit, but later.
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { RailEventFigures, RailEventQueue } from '../../ports/rails/rail-event-queue.ts';
import type { RailKey } from '../../ports/rails/rail-store.ts';
import { listEventSenders } from './receive-rail-event.ts';

export interface ReadRailEventsDeps {
  readonly bankRails: RailRegistry;
  readonly railEvents: Pick<RailEventQueue, 'figures' | 'countCredits'>;
  readonly clock: Clock;
}

export interface RailEventReading extends RailKey, RailEventFigures {
  /** Credits arrived without an event: our webhook address is wrong or missing at the rail. */
  readonly isSilent: boolean;
}

const DAY_MS = 86_400_000;
/** With fewer credits in a day, each may simply have lost its event. */
const ENOUGH_CREDITS = 3;

export async function readRailEvents(
  { bankRails, railEvents, clock }: ReadRailEventsDeps,
  mode?: Mode,
): Promise<readonly RailEventReading[]> {
  const rails = listEventSenders(bankRails).filter((each) => mode === undefined || each.mode === mode);
  const sinceMs = clock.now() - DAY_MS;
  return Promise.all(
    rails.map(async ({ mode: of, rail }) => {
      const figures = await railEvents.figures({ mode: of, rail });
      const hasNone = (figures.newestAtMs ?? Number.NEGATIVE_INFINITY) < sinceMs;
      const credits = hasNone ? await railEvents.countCredits({ mode: of, rail }, sinceMs) : 0;
      return { mode: of, rail, ...figures, isSilent: credits >= ENOUGH_CREDITS };
    }),
  );
}
