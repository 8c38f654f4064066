// The state of rail events: how many wait for an answer of their rail, how many a person must review, and whether a rail sends no
// events although it should. If a rail sends no events, its list of transactions still finds every credit, but later.
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
  /** Credits arrived without an event: our webhook address at the rail is wrong or missing. */
  readonly isSilent: boolean;
}

const DAY_MS = 86_400_000;
/** If a day has fewer credits, the events may simply have been lost. */
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
