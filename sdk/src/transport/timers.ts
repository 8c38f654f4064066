// The clock and the random numbers as parameters, so that tests of long periods are fast. The defaults are the clock and the
// random numbers of the runtime.

export interface Timers {
  now(): number;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Returns a random number from 0 to 1, which varies the delay of retries. */
  random(): number;
}

export const RUNTIME_TIMERS: Timers = {
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
  random: () => Math.random(),
};

/** Waits. Rejects with the signal's reason if the signal is aborted first. */
export function sleep(timers: Timers, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      timers.clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = timers.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

export interface Deadline {
  /** Aborted by the caller or by the time limit. */
  readonly signal: AbortSignal;
  readonly passed: boolean;
  /** Restarts the time limit. */
  renew(): void;
  /** Stops the time limit. The caller can still abort. */
  pause(): void;
  /** Aborts the operations that use the signal. */
  abort(): void;
  clear(): void;
}

/**
 * Creates a signal that is aborted by a time limit or by the caller's own signal. After `clear`, its timer and its listener are
 * gone.
 */
export function deadline(timers: Timers, limitMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  let passed = false;
  let timer: unknown;
  const pause = () => {
    if (timer !== undefined) timers.clearTimeout(timer);
    timer = undefined;
  };
  const renew = () => {
    pause();
    timer = timers.setTimeout(() => {
      passed = true;
      controller.abort();
    }, limitMs);
  };
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  renew();
  return {
    signal: controller.signal,
    get passed() {
      return passed;
    },
    renew,
    pause,
    abort: () => controller.abort(),
    clear() {
      pause();
      outer?.removeEventListener('abort', follow);
    },
  };
}
