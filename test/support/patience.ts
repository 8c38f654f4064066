// How long tests wait: the one place with time limits of tests. A limit only ends what hangs; it never judges how quick a machine
// is. Limits are written for an idle machine and stretch with the speed that `npm test` measured when it began and with the load
// of the moment, so a busy machine waits longer instead of failing.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** On an idle machine. Each is many times what the thing takes there. */
const LIMITS_MS = {
  /** One statement or connection of PostgreSQL. */
  query: 30_000,
  /** One answer of a server, or one event of a stream. */
  answer: 30_000,
  /** One step of a page in a browser. */
  page: 30_000,
  /** A condition, a program that starts or ends. */
  condition: 60_000,
  /** What a test file may forget to close. */
  leftOpen: 30_000,
  /** One test. */
  test: 480_000,
  /** One test file of a process that runs several. */
  file: 240_000,
  /** No test of the whole run starts or ends. */
  silence: 480_000,
} as const;

export type Limit = keyof typeof LIMITS_MS;

/** The setting DATABASE_TIMEOUT_MS takes no more. */
const LONGEST_SETTING_MS = 60_000;
const FEWEST_LOOKS = 20;
/** Who waits for long looks less often: a look costs CPU time that what is waited for could use. */
const WAIT_GROWS_BY = 1.15;
const LONGEST_WAIT_MS = 250;
const LONGEST_LIMIT_MS = 300_000;
const LOOK_EVERY_MS = 20;
/** What hangs on a very busy machine must end, too. Each limit is already many times what the thing takes when idle. */
const MOST_SLOWNESS = 10;

/** How many times longer than on an idle machine of usual speed things take now; from 1 to MOST_SLOWNESS. */
function slowness(): number {
  const speed = Number(process.env.SLIPROAD_TEST_SLOWNESS ?? 1);
  const [load = 0] = loadavg();
  return Math.min(Math.max(1, speed) * Math.max(1, load / availableParallelism()), MOST_SLOWNESS);
}

/** For an interface that takes a number. Elsewhere `until` and `inTime` follow the load while they wait. */
export function limitMs(kind: Limit): number {
  return Math.ceil(LIMITS_MS[kind] * slowness());
}

/** DATABASE_TIMEOUT_MS, for a service whose test is not about a database that stops answering. */
export function databaseTimeoutMs(): number {
  return Math.min(limitMs('query'), LONGEST_SETTING_MS);
}

/** Looks until the condition holds, `everyMs` at first. */
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

/** What the promise resolves to; an error that names it when it never does. */
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

/** A time limit that counts less of the time in which the machine is busy. */
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
 * For a time limit of the product that must not pass before something else has happened: tries a short one, and a longer one as
 * long as `attempt` answers that the machine was too slow for it (undefined).
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
