// Time and chance on a real machine. The clock follows the database's, so that every process on one database agrees
// on what has expired. Between two looks it runs on without this machine's time of day, which may be wrong or set anew.
import { randomFillSync } from 'node:crypto';
import type { Clock, Entropy } from '../ports/clock.ts';
import type { Database } from './postgres/connection/database.ts';

const MEASURE_EVERY_MS = 10_000;

export interface DatabaseClock extends Clock {
  close(): void;
}

/** Reads the database's clock again and again, and counts on from the last answer meanwhile. */
export async function startDatabaseClock(
  database: Database,
  onError: (error: Error) => void,
): Promise<DatabaseClock> {
  let offsetMs = 0;
  const measure = async () => {
    const before = performance.now();
    const { rows } = await database.query<{ now: Date }>({
      name: 'clock',
      text: 'select clock_timestamp() as now',
    });
    const after = performance.now();
    offsetMs = rows[0]!.now.getTime() - (before + after) / 2;
  };
  await measure();
  const timer = setInterval(() => void measure().catch(onError), MEASURE_EVERY_MS);
  timer.unref();
  return { now: () => Math.round(performance.now() + offsetMs), close: () => clearInterval(timer) };
}

const POOL_BYTES = 8_192;

/** Cryptographic bytes, drawn in blocks: a system call per id would cost more than the id. */
export function makeSystemEntropy(): Entropy {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return {
    bytes: (count) => {
      if (used + count > POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      const bytes = pool.subarray(used, used + count);
      used += count;
      return Uint8Array.from(bytes);
    },
  };
}
