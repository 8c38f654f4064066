// Limits kept in this process’s memory: a token bucket per key, and a count of failed authentications per client.
// There are as many buckets as keys in use; failures are forgotten after two minutes.

export interface TokenBuckets {
  /** Takes one token of that name; false when there is none. */
  take(name: string, nowMs: number): boolean;
}

/** Refills at a steady rate up to a burst. */
export function makeTokenBuckets(perSecond: number, burst: number): TokenBuckets {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take: (name, nowMs) => {
      let bucket = buckets.get(name);
      if (bucket === undefined) {
        bucket = { tokens: burst, atMs: nowMs };
        buckets.set(name, bucket);
      }
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
  /** Notes a failure; true when the client has had its share for this minute. */
  exceeded(client: string, nowMs: number): boolean;
}

const WINDOW_MS = 60_000;
/** More clients than this in one minute are counted no further: memory is bounded even under a flood. */
const MAX_CLIENTS = 100_000;

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
      // The last minute slides: what is left of the previous window still counts in proportion.
      const share = 1 - (nowMs - windowStartMs) / WINDOW_MS;
      const count = (current.get(client) ?? 0) + (previous.get(client) ?? 0) * share;
      if (count >= perMinute) return true;
      if (current.has(client) || current.size < MAX_CLIENTS)
        current.set(client, (current.get(client) ?? 0) + 1);
      return false;
    },
  };
}
