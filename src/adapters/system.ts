// Provides time and randomness on a real machine. The clock follows the database's clock, so that every process on one database
// agrees on what has expired. Between two measurements it uses a monotonic timer. It does not use this machine's time of day,
// which may be wrong or may be changed.
import { randomFillSync } from 'node:crypto';
import type { Clock, Entropy } from '../ports/clock.ts';
import type { Database } from './postgres/connection/database.ts';

const MEASURE_EVERY_MS = 10_000;
/**
 * Two measurements normally differ by a few milliseconds. A difference above this number means that the database's clock was
 * set back.
 */
const LARGEST_ERROR_MS = 1_000;

export interface DatabaseClock extends Clock {
  close(): void;
}

/**
 * Reads the database's clock repeatedly. Between two reads, the elapsed time is added to the last result. If a read is a little
 * behind the time that was last returned, the time stands still for that long instead of going back.
 */
export async function startDatabaseClock(
  database: Database,
  onError: (error: Error) => void,
): Promise<DatabaseClock> {
  let offsetMs: number | undefined;
  const measure = async () => {
    const before = performance.now();
    const { rows } = await database.query<{ now: Date }>({
      name: 'clock',
      text: 'select clock_timestamp() as now',
    });
    const after = performance.now();
    // The database read its clock between the start and the end of the query. A slow response proves little, so it changes the
    // time only as far as it must.
    const databaseMs = rows[0]!.now.getTime();
    const guessMs = offsetMs ?? databaseMs - (before + after) / 2;
    offsetMs = Math.min(databaseMs - before, Math.max(databaseMs - after, guessMs));
  };
  await measure();
  const timer = setInterval(() => void measure().catch(onError), MEASURE_EVERY_MS);
  timer.unref();
  let lastMs = 0;
  const now = () => {
    const ms = Math.round(performance.now() + offsetMs!);
    if (ms > lastMs || lastMs - ms > LARGEST_ERROR_MS) lastMs = ms;
    return lastMs;
  };
  return { now, close: () => clearInterval(timer) };
}

const POOL_BYTES = 8_192;

/** Returns cryptographic random bytes, which are read in blocks because one system call per id would be too slow. */
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
