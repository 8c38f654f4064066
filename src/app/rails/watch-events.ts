// How the events of rails are doing: how many wait for an answer of their rail, how many a person has to look at, and whether a rail
// that should send events sends none. Its list of transactions then still finds every credit, later.
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventFigures, EventQueue } from '../../ports/rails/event-queue.ts';
import type { Banks } from '../../ports/rails/rail.ts';
import type { RailName } from '../../ports/rails/rail-desk.ts';
import { sendingRails } from './receive-event.ts';

export interface WatchEventsDeps {
  readonly bankRails: Banks;
  readonly railEvents: Pick<EventQueue, 'figures' | 'countCredits'>;
  readonly clock: Clock;
}

export interface EventReading extends RailName, EventFigures {
  /** Credits came in, and no event announced one: the address of our webhook is wrong or missing at the rail. */
  readonly isSilent: boolean;
}

const DAY_MS = 86_400_000;
/** Fewer credits in a day may each be one whose event was lost. */
const ENOUGH_CREDITS = 3;

export async function readEvents(
  { bankRails, railEvents, clock }: WatchEventsDeps,
  mode?: Mode,
): Promise<readonly EventReading[]> {
  const rails = sendingRails(bankRails).filter((each) => mode === undefined || each.mode === mode);
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
