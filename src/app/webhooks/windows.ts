// How many attempts each endpoint may have under way in this process. An endpoint that answers gets more at once, one that fails
// gets one at a time; all that fail together get at most half of what the process can do, so that the others always have room. Those
// that fail take turns at that half, in the order of their ids: the last one of a turn is not kept waiting by the first ones.
import { type AttemptOutcome, FIRST_WINDOW, isSuccess, windowAfter } from '../../domain/webhooks/schedule.ts';

export interface Windows {
  /** How many more attempts this process may begin. */
  free(): number;
  underWay(): number;
  /** How many more the endpoints may have in this turn whose room is not `FIRST_WINDOW`. */
  rooms(): ReadonlyMap<string, number>;
  /** The same, whosever turn it is: what they may have in the next round at the latest. */
  roomsInRound(): ReadonlyMap<string, number>;
  /** The next turn begins with the first endpoint again. Whether some of those that fail were waiting for it. */
  newRound(): boolean;
  begin(endpointId: string): void;
  /** `outcome` null: nothing was sent. */
  end(endpointId: string, outcome: AttemptOutcome | null): void;
}

interface Window {
  size: number;
  underWay: number;
  /** Its last attempt failed. */
  failing: boolean;
}

/** Endpoints with nothing under way are remembered up to this number. */
const REMEMBERED = 10_000;

export function makeWindows(mostAtOnce: number): Windows {
  const windows = new Map<string, Window>();
  let underWay = 0;
  let failingUnderWay = 0;
  /** The one that took the last place of those that fail: until the next round they are served behind it. */
  let turnOf = '';
  const isFull = () => failingUnderWay >= mostAtOnce / 2;
  const windowOf = (endpointId: string): Window => {
    const known = windows.get(endpointId) ?? { size: FIRST_WINDOW, underWay: 0, failing: false };
    windows.set(endpointId, known);
    return known;
  };
  const roomsBehind = (turn: string) =>
    new Map(
      [...windows].map(([id, { size, underWay: own, failing }]) => [
        id,
        failing && (isFull() || id <= turn) ? 0 : Math.max(0, size - own),
      ]),
    );
  return {
    free: () => Math.max(0, mostAtOnce - underWay),
    underWay: () => underWay,
    rooms: () => roomsBehind(turnOf),
    roomsInRound: () => roomsBehind(''),
    newRound: () => {
      const waited = turnOf !== '' && !isFull();
      turnOf = '';
      return waited;
    },
    begin: (endpointId) => {
      const window = windowOf(endpointId);
      window.underWay++;
      underWay++;
      if (!window.failing) return;
      failingUnderWay++;
      if (isFull()) turnOf = endpointId;
    },
    end: (endpointId, outcome) => {
      const window = windowOf(endpointId);
      const { failing } = window;
      if (outcome !== null) {
        window.failing = !isSuccess(outcome);
        window.size = windowAfter(window.size, outcome);
      }
      if (failing) failingUnderWay -= window.underWay;
      window.underWay--;
      underWay--;
      if (window.failing) failingUnderWay += window.underWay;
      const isOrdinary = window.size === FIRST_WINDOW && !window.failing;
      if (window.underWay === 0 && (isOrdinary || windows.size > REMEMBERED)) windows.delete(endpointId);
    },
  };
}
