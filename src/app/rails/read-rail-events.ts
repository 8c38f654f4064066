// Reads the state of rail events: how many wait for a response of their rail, how many a person must review, and which rails
// wrongly send no events. The list of transactions of such a rail still shows every credit, but later.
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { RailEventFigures, RailEventQueue } from '../../ports/rails/rail-event-store.ts';
import type { RailKey } from '../../ports/rails/rail-store.ts';
import { listEventSenders } from './receive-rail-event.ts';

export interface ReadRailEventsDeps {
  readonly bankRails: RailRegistry;
  readonly railEvents: Pick<RailEventQueue, 'figures' | 'countCredits'>;
  readonly clock: Clock;
}

export interface RailEventReading extends RailKey, RailEventFigures {
  /** True if credits arrived without an event. Then the address of the service's webhook is wrong or missing at the rail. */
  readonly isSilent: boolean;
}

const DAY_MS = 86_400_000;
/** If a day has fewer credits, their events may simply have been lost. */
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
