// How many attempts each endpoint may have in progress in this process. A working endpoint gets many at once, a failing one gets
// one at a time. All failing endpoints together get at most half of the places of the process, so that the others always have
// room. Failing endpoints take turns at that half: one that had its turn waits until each of the others had one too, or has
// nothing to send.
import {
  type AttemptOutcome,
  FIRST_WINDOW,
  isSuccessfulAttempt,
  windowAfter,
} from '../../domain/webhooks/schedule.ts';

export interface DeliveryWindows {
  /** The number of further attempts that this process may start. */
  free(): number;
  underWay(): number;
  /** How many more attempts the endpoints whose room is not `FIRST_WINDOW` may have in this turn. */
  rooms(): ReadonlyMap<string, number>;
  /** The same number without regard to turns: the room that the endpoints have in the next round at the latest. */
  roomsInRound(): ReadonlyMap<string, number>;
  /**
   * Claims have passed the last endpoint. `isWhole`: by a single claim that had room left. Decides whether the failing endpoints
   * may start a new round: each of them had its turn, or nothing to send while there was a place for it.
   */
  newRound(isWhole: boolean): boolean;
  begin(endpointId: string): void;
  /** `outcome` null: nothing was sent. */
  end(endpointId: string, outcome: AttemptOutcome | null): void;
}

interface EndpointWindow {
  size: number;
  underWay: number;
  /** The last attempt of the endpoint failed. */
  failing: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Endpoints with nothing in progress are remembered up to this number. */
const REMEMBERED = 10_000;

export function makeDeliveryWindows(mostAtOnce: number): DeliveryWindows {
  const windows = new Map<string, EndpointWindow>();
  let underWay = 0;
  let failingUnderWay = 0;
  /**
   * The failing endpoints that had their turn. The last one alone is not enough: the position of claims when a place becomes free
   * is random, and the same endpoint could be skipped forever.
   */
  const had = new Set<string>();
  /** Whether, since claims last passed the last endpoint, a failing endpoint found no free place or took one. */
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

// The headers of a webhook, without its signature.

/** `atMs`: the time of the attempt; null before the first attempt. */
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
