// Measures the machine and how much of it a run used: the speed at the start of the run, the number of parallel lanes, and the
// CPU time of all processes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';

/** How many milliseconds the work below takes on an idle machine of usual speed. */
const USUAL_MS = 150;
const BLOCKS = 2_000;

/**
 * How many times longer than usual a piece of work takes now. It shows how fast and how busy the machine is, and it is at least
 * 1.
 */
export function measureSlowness(): number {
  const block = Buffer.alloc(64 * 1_024);
  const beganAt = performance.now();
  const digest = createHash('sha256');
  for (let done = 0; done < BLOCKS; done++) digest.update(block);
  digest.digest();
  return Math.max(1, (performance.now() - beganAt) / USUAL_MS);
}

const MOST_LANES = 4;

/** There are two more lanes than cores, because a test sometimes waits for a time-out, a process or a disk. */
export function countLanes(cores = availableParallelism()): number {
  return Math.min(MOST_LANES, cores + 2);
}

/** The test cluster grows to a quarter of this size. */
const MEMORY_BYTES = 4 * 2 ** 30;

export function hasRoomForDatabase(dir: string): boolean {
  if (!existsSync(dir)) return false;
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize >= MEMORY_BYTES && freemem() >= MEMORY_BYTES;
}

const TICKS_PER_SECOND = 100;

/** The CPU time of this process and of its descendants that have ended. Undefined if the system does not report it. */
export function readCpuSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0);
  return ticks / TICKS_PER_SECOND;
}
