// Contains all time limits of tests. A limit only ends what hangs; it does not test the speed of a machine. Limits are written
// for an idle machine. The speed that `npm test` measured at its start and the current load extend them. So a test on a busy
// machine waits longer instead of failing.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The limits on an idle machine. Each limit is many times longer than the operation takes there. */
const LIMITS_MS = {
  query: 30_000,
  answer: 30_000,
  page: 30_000,
  /** The limit for a condition, or for the start or end of a program. */
  condition: 60_000,
  /** The limit for the end of resources that a test file did not close. */
  leftOpen: 30_000,
  /** One test. */
  test: 480_000,
  file: 240_000,
  /** The longest time in which no test of the whole run starts or ends. */
  silence: 480_000,
} as const;

export type Limit = keyof typeof LIMITS_MS;

const LONGEST_SETTING_MS = 60_000;
const FEWEST_LOOKS = 20;
/** The longer a test waits, the less often it checks, because a check uses CPU time that the awaited work needs. */
const WAIT_GROWS_BY = 1.15;
const LONGEST_WAIT_MS = 250;
const LONGEST_LIMIT_MS = 300_000;
const LOOK_EVERY_MS = 20;
/**
 * The largest factor by which a limit grows, because a test that hangs on a very busy machine must end too. Each limit is
 * already many times longer than the operation takes on an idle machine.
 */
const MOST_SLOWNESS = 10;

/** How many times longer operations take now than on an idle machine of normal speed, from 1 to MOST_SLOWNESS. */
function slowness(): number {
  const speed = Number(process.env.SLIPROAD_TEST_SLOWNESS ?? 1);
  const [load = 0] = loadavg();
  return Math.min(Math.max(1, speed) * Math.max(1, load / availableParallelism()), MOST_SLOWNESS);
}

/**
 * Returns the limit for interfaces that need a number. Elsewhere, use `until` and `inTime`, which adjust to the load while they
 * wait.
 */
export function limitMs(kind: Limit): number {
  return Math.ceil(LIMITS_MS[kind] * slowness());
}

export function databaseTimeoutMs(): number {
  return Math.min(limitMs('query'), LONGEST_SETTING_MS);
}

/** Checks repeatedly until the condition is true, at first every `everyMs`. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  { everyMs = LOOK_EVERY_MS, kind = 'condition' as Limit } = {},
): Promise<void> {
  const time = stretchedTime(LIMITS_MS[kind]);
  let waitMs = everyMs;
  for (let looks = 0; looks < FEWEST_LOOKS || !time.isUp(); looks++) {
    if (await holds()) return;
    await sleep(waitMs);
    waitMs = Math.max(everyMs, Math.min(waitMs * WAIT_GROWS_BY, LONGEST_WAIT_MS));
  }
  throw new Error(`gave up waiting until ${what}`);
}

/** Returns the result of the promise. If the promise never resolves, throws an error that contains `what`. */
export async function inTime<T>(what: string, promise: Promise<T>, kind: Limit = 'condition'): Promise<T> {
  const time = stretchedTime(LIMITS_MS[kind]);
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const looking = setInterval(() => {
    if (time.isUp()) reject(new Error(`gave up waiting for ${what}`));
  }, 250);
  try {
    return await Promise.race([promise, givenUp]);
  } finally {
    clearInterval(looking);
  }
}

/** A time limit that counts time more slowly while the machine is busy. */
export function stretchedTime(limit: number): { isUp(): boolean } {
  let countedMs = 0;
  let lookedAt = performance.now();
  return {
    isUp: () => {
      const now = performance.now();
      countedMs += (now - lookedAt) / slowness();
      lookedAt = now;
      return countedMs > limit;
    },
  };
}

/**
 * Finds a value for a time-out of the service that must not end before something else has happened. It tries a short time-out
 * first, and then longer ones. If `attempt` returns undefined, the machine was too slow and the next try follows.
 */
export async function longEnough<T>(
  firstMs: number,
  attempt: (timeoutMs: number) => Promise<T | undefined>,
): Promise<T> {
  for (let timeoutMs = firstMs; timeoutMs < LONGEST_LIMIT_MS; timeoutMs *= 4) {
    const held = await attempt(timeoutMs);
    if (held !== undefined) return held;
  }
  throw new Error(`nothing happened within ${LONGEST_LIMIT_MS} ms`);
}
