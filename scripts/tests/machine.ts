// What the machine can do and what a run took of it: its speed when the run begins, its lanes, and the CPU time of all processes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';

/** What the work below takes on a machine of usual speed that is idle. */
const USUAL_MS = 150;
const BLOCKS = 2_000;

/** How many times longer than usual a piece of work takes now: how fast the machine is, and how busy. At least 1. */
export function measureSlowness(): number {
  const block = Buffer.alloc(64 * 1_024);
  const beganAt = performance.now();
  const digest = createHash('sha256');
  for (let done = 0; done < BLOCKS; done++) digest.update(block);
  digest.digest();
  return Math.max(1, (performance.now() - beganAt) / USUAL_MS);
}

const MOST_LANES = 4;

/** Two more than there are cores: part of the time a test waits for a time limit, a process or a disk. */
export function countLanes(cores = availableParallelism()): number {
  return Math.min(MOST_LANES, cores + 2);
}

/** The cluster of the tests grows to a quarter of it. */
const MEMORY_BYTES = 4 * 2 ** 30;

/** Whether a database of tests may lie there, in memory. */
export function hasRoomForDatabase(dir: string): boolean {
  if (!existsSync(dir)) return false;
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize >= MEMORY_BYTES && freemem() >= MEMORY_BYTES;
}

const TICKS_PER_SECOND = 100;

/** CPU time of this process and of those that it and they waited for; undefined where the system does not say. */
export function readCpuSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0);
  return ticks / TICKS_PER_SECOND;
}
