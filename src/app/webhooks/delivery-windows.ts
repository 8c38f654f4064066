// Decides how many attempts each endpoint may have in progress at once in this process. A working endpoint gets many, and a
// failing endpoint gets one. All failing endpoints together get at most half of the places, so that working endpoints always
// find free places. Failing endpoints take turns: an endpoint that had its turn waits until each other one had a turn, or has
// nothing to send.
import {
  type AttemptOutcome,
  FIRST_WINDOW,
  isSuccessfulAttempt,
  windowAfter,
} from '../../domain/webhooks/schedule.ts';

export interface DeliveryWindows {
  /** The number of additional attempts that this process may start. */
  free(): number;
  underWay(): number;
  /**
   * The number of additional attempts that each known endpoint may start in this turn. An endpoint that is not in the map may
   * start `FIRST_WINDOW` attempts.
   */
  rooms(): ReadonlyMap<string, number>;
  /** The same numbers as in `rooms`, but without turns. Each endpoint gets this room in the next round at the latest. */
  roomsInRound(): ReadonlyMap<string, number>;
  /**
   * The caller reports that the claims have passed the last endpoint. `isWhole` is true if a single claim did this and had room
   * left. Returns whether the failing endpoints may start a new round. They may if each of them had its turn, or had nothing to
   * send while there was a free place.
   */
  newRound(isWhole: boolean): boolean;
  begin(endpointId: string): void;
  /** `outcome` is null if nothing was sent. */
  end(endpointId: string, outcome: AttemptOutcome | null): void;
}

interface EndpointWindow {
  size: number;
  underWay: number;
  failing: boolean;
}

const NONE: ReadonlySet<string> = new Set();

const REMEMBERED = 10_000;

export function makeDeliveryWindows(mostAtOnce: number): DeliveryWindows {
  const windows = new Map<string, EndpointWindow>();
  let underWay = 0;
  let failingUnderWay = 0;
  /**
   * The failing endpoints that had their turn. The last of them alone would not be enough. The position of the claims is random
   * when a place becomes free, so the same endpoint could be skipped forever.
   */
  const had = new Set<string>();
  /** True if, since the claims last passed the last endpoint, a failing endpoint took a place or found all places taken. */
  let wasTaken = false;
  const isFull = () => failingUnderWay >= mostAtOnce / 2;
  const windowOf = (endpointId: string): EndpointWindow => {
    const known = windows.get(endpointId) ?? { size: FIRST_WINDOW, underWay: 0, failing: false };
    windows.set(endpointId, known);
    return known;
  };
  const roomsWithout = (waiting: ReadonlySet<string>) =>
    new Map(
      [...windows].map(([id, { size, underWay: own, failing }]) => [
        id,
        failing && (isFull() || waiting.has(id)) ? 0 : Math.max(0, size - own),
      ]),
    );
  const allHad = () => [...windows].every(([id, { failing }]) => !failing || had.has(id));
  return {
    free: () => Math.max(0, mostAtOnce - underWay),
    underWay: () => underWay,
    rooms: () => roomsWithout(had),
    roomsInRound: () => roomsWithout(NONE),
    newRound: (isWhole) => {
      const isOver = had.size > 0 && !isFull() && (isWhole || !wasTaken);
      wasTaken = isFull();
      if (isOver) had.clear();
      return isOver;
    },
    begin: (endpointId) => {
      const window = windowOf(endpointId);
      window.underWay++;
      underWay++;
      if (!window.failing) return;
      failingUnderWay++;
      wasTaken = true;
      had.add(endpointId);
      if (allHad()) had.clear();
    },
    end: (endpointId, outcome) => {
      const window = windowOf(endpointId);
      const { failing } = window;
      if (outcome !== null) {
        window.failing = !isSuccessfulAttempt(outcome);
        window.size = windowAfter(window.size, outcome);
      }
      if (failing) failingUnderWay -= window.underWay;
      window.underWay--;
      underWay--;
      if (window.failing) failingUnderWay += window.underWay;
      else had.delete(endpointId);
      const isOrdinary = window.size === FIRST_WINDOW && !window.failing;
      if (window.underWay === 0 && (isOrdinary || windows.size > REMEMBERED)) windows.delete(endpointId);
    },
  };
}

/** `atMs` is the time of the attempt, or null before the first attempt. */
export function webhookHeaders(
  userAgent: string,
  eventId: string,
  atMs: number | null,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': eventId,
    ...(atMs !== null && { 'webhook-timestamp': String(toUnixSeconds(atMs)) }),
  };
}

export function toUnixSeconds(atMs: number): number {
  return Math.floor(atMs / 1_000);
}
