// Decides the rates again when an input changes, when a value expires, and every few seconds. The repetition is needed because
// a rate source can become too old, and nothing notifies the service of that.
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_BOOKS, type DecideBooksDeps, decideBooks } from '../../app/rates/decide-books.ts';
import { RATE_PRODUCTS } from '../../domain/rates/rates.ts';
import { MODES } from '../../domain/values/mode.ts';
import type { RateBoard, RateBookName } from '../../ports/rates.ts';
import type { Loop } from '../loop.ts';

export interface DecideRatesDeps extends DecideBooksDeps {
  readonly rateBoard: Pick<RateBoard, 'current'>;
  readonly onError: (error: Error) => void;
}

export interface DecideRatesLoop extends Loop {
  /** Signals that there may be something to decide: in this rate book, or in any rate book if `book` is null. */
  wake(book: RateBookName | null): void;
}

const LOOK_AGAIN_MS = 5_000;
/** All changes within this time lead to one decision. */
const GATHER_MS = 20;
const AFTER_BUSY_MS = 100;
const AFTER_ERROR_MS = 500;

export function startDecidingRates(deps: DecideRatesDeps): DecideRatesLoop {
  const stopping = new AbortController();
  const changed = new Map<string, RateBookName>();
  let rouse = () => {};
  const change = (books: readonly RateBookName[]) => {
    for (const book of books) changed.set(`${book.mode} ${book.product}`, book);
    rouse();
  };
  const pause = (forMs: number) =>
    sleep(forMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const rest = async (forMs: number) => {
    const roused = new Promise<void>((resolve) => {
      rouse = resolve;
    });
    if (changed.size === 0) await Promise.race([roused, pause(Math.max(0, forMs))]);
    await pause(GATHER_MS);
  };
  const run = async () => {
    let allDueAtMs = 0;
    while (!stopping.signal.aborted) {
      const isAllDue = performance.now() >= allDueAtMs;
      if (isAllDue) allDueAtMs = performance.now() + LOOK_AGAIN_MS;
      const books = isAllDue ? ALL_BOOKS : [...changed.values()];
      changed.clear();
      try {
        const outcome = await decideBooks(deps, books);
        // The other process may have decided the rate book before it knew the change that this process knows.
        if (outcome === 'busy') change(books);
        allDueAtMs = Math.min(allDueAtMs, performance.now() + msUntilNextEnd(deps));
        await (outcome === 'busy' ? pause(AFTER_BUSY_MS) : rest(allDueAtMs - performance.now()));
      } catch (error) {
        deps.onError(error as Error);
        change(books);
        await pause(AFTER_ERROR_MS);
      }
    }
  };
  const running = run();
  return {
    wake: (book) => change(book === null ? ALL_BOOKS : [book]),
    stop: async () => {
      stopping.abort();
      rouse();
      await running;
    },
  };
}

/** Returns the time until the next value expires. Values that have already expired do not count. */
function msUntilNextEnd({ rateBoard, clock }: DecideRatesDeps): number {
  const board = rateBoard.current();
  const nowMs = clock.now();
  let nextMs = Number.POSITIVE_INFINITY;
  for (const mode of MODES) {
    for (const product of RATE_PRODUCTS) {
      for (const { validUntilMs } of Object.values(board?.books[mode][product]?.values ?? {})) {
        if (validUntilMs !== null && validUntilMs > nowMs) nextMs = Math.min(nextMs, validUntilMs);
      }
    }
  }
  return nextMs - nowMs;
}
