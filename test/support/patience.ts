// How long tests wait: this file has all time limits of tests. A limit only ends what hangs; it does not test the speed of a
// machine. Limits are written for an idle machine. They are extended by the speed that `npm test` measured at its start and by
// the current load, so a busy machine waits longer instead of failing.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** On an idle machine. Each limit is many times longer than the operation takes on an idle machine. */
const LIMITS_MS = {
  /** One statement or one connection of PostgreSQL. */
  query: 30_000,
  /** One response of a server, or one event of a stream. */
  answer: 30_000,
  /** One step on a page in a browser. */
  page: 30_000,
  /** A condition, or the start or end of a program. */
  condition: 60_000,
  /** The time for resources that a test file did not close. */
  leftOpen: 30_000,
  /** One test. */
  test: 480_000,
  /** One test file, in a process that runs several. */
  file: 240_000,
  /** The time in which no test of the whole run starts or ends. */
  silence: 480_000,
} as const;

export type Limit = keyof typeof LIMITS_MS;

/** The maximum value of the setting DATABASE_TIMEOUT_MS. */
const LONGEST_SETTING_MS = 60_000;
const FEWEST_LOOKS = 20;
/** The longer a test waits, the less often it checks: a check uses CPU time that the awaited work needs. */
const WAIT_GROWS_BY = 1.15;
const LONGEST_WAIT_MS = 250;
const LONGEST_LIMIT_MS = 300_000;
const LOOK_EVERY_MS = 20;
/**
 * A test that hangs on a very busy machine must end, too. Each limit is already many times longer than the operation takes on an
 * idle machine.
 */
const MOST_SLOWNESS = 10;

/** How many times longer operations take now than on an idle machine of normal speed; from 1 to MOST_SLOWNESS. */
function slowness(): number {
  const speed = Number(process.env.SLIPROAD_TEST_SLOWNESS ?? 1);
  const [load = 0] = loadavg();
  return Math.min(Math.max(1, speed) * Math.max(1, load / availableParallelism()), MOST_SLOWNESS);
}

/** For interfaces that need a number. Elsewhere, use `until` and `inTime`, which adjust to the load while they wait. */
export function limitMs(kind: Limit): number {
  return Math.ceil(LIMITS_MS[kind] * slowness());
}

/** DATABASE_TIMEOUT_MS for a service whose test is not about an unresponsive database. */
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

/** The result of the promise; if it never resolves, an error that contains `what`. */
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
 * For a timeout of the product that must not end before something else has happened: tries a short one, and then longer ones as
 * long as `attempt` returns undefined, which means that the machine was too slow.
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
