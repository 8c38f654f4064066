// Limits that one process keeps in memory: token buckets, counts of failed authentications, and counts of requests in progress.
// Their memory is bounded for any number of clients.
export interface TokenBuckets {
  /** Takes one token from the bucket with this name. The result is false if the bucket is empty. */
  take(name: string, nowMs: number): boolean;
}

/** The limits do not count names beyond this number, so that very many clients cannot fill the memory. */
const MAX_NAMES = 100_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Each bucket refills at a steady rate until it holds `burst` tokens. */
export function makeTokenBuckets(perSecond: number, burst: number): TokenBuckets {
  // A bucket that was unused for this time is full again, and a full bucket can be deleted.
  const fullAfterMs = Math.max(1_000, (burst / perSecond) * 1_000);
  let sinceMs = Number.NEGATIVE_INFINITY;
  let current = new Map<string, Bucket>();
  let previous = new Map<string, Bucket>();
  const find = (name: string, nowMs: number): Bucket => {
    let bucket = current.get(name);
    if (bucket === undefined) {
      bucket = previous.get(name) ?? { tokens: burst, atMs: nowMs };
      if (current.size < MAX_NAMES) current.set(name, bucket);
    }
    return bucket;
  };
  return {
    take: (name, nowMs) => {
      if (nowMs - sinceMs >= fullAfterMs) {
        previous = nowMs - sinceMs < 2 * fullAfterMs ? current : new Map();
        current = new Map();
        sinceMs = nowMs;
      }
      const bucket = find(name, nowMs);
      const elapsedMs = nowMs - bucket.atMs;
      if (elapsedMs > 0) {
        bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1_000);
        bucket.atMs = nowMs;
      }
      if (bucket.tokens < 1) return false;
      bucket.tokens--;
      return true;
    },
  };
}

export interface FailureCounts {
  /** Counts a failed authentication. The result is true if the client exceeds its limit for this minute. */
  exceeded(client: string, nowMs: number): boolean;
}

const WINDOW_MS = 60_000;

export function makeFailureCounts(perMinute: number): FailureCounts {
  let windowStartMs = Number.NEGATIVE_INFINITY;
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  return {
    exceeded: (client, nowMs) => {
      if (nowMs - windowStartMs >= WINDOW_MS) {
        previous = nowMs - windowStartMs < 2 * WINDOW_MS ? current : new Map();
        current = new Map();
        windowStartMs = nowMs;
      }
      // The window is a sliding minute: failures of the previous window count in proportion to its part of the last minute.
      const share = 1 - (nowMs - windowStartMs) / WINDOW_MS;
      const count = (current.get(client) ?? 0) + (previous.get(client) ?? 0) * share;
      if (count >= perMinute) return true;
      if (current.has(client) || current.size < MAX_NAMES)
        current.set(client, (current.get(client) ?? 0) + 1);
      return false;
    },
  };
}

export interface NamedCounts {
  of(name: string): number;
  add(name: string): void;
  remove(name: string): void;
}

/** Keeps a count for each name. A name whose count is 0 is deleted. */
export function makeNamedCounts(): NamedCounts {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add: (name) => void counts.set(name, of(name) + 1),
    remove: (name) => {
      const left = of(name) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}
