// How long test files take. The times come from earlier runs on this machine, and before its first run from a committed file.
// Long files start first, and the remaining time is estimated from these times. A file without a known time counts as a short
// one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type Times = Readonly<Record<string, number>>;

const COMMITTED = 'scripts/tests/seconds.json';
const OWN = 'node_modules/.cache/sliproad-test-seconds.json';
const UNKNOWN_SECONDS = 1;
const WORTH_COMMITTING_SECONDS = 2;

export function readTimes(root: string): Times {
  return { ...readFrom(path.join(root, COMMITTED)), ...readFrom(path.join(root, OWN)) };
}

export function secondsOf(times: Times, file: string): number {
  return times[file] ?? UNKNOWN_SECONDS;
}

/** Stores the times of the files that ran. All other files keep their times. */
export function keepTimes(root: string, measured: Times): void {
  const file = path.join(root, OWN);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...readFrom(file), ...measured }));
  } catch {
    // The folder may belong to another user. Then every run uses the committed times.
  }
}

/** Writes the times for machines on which no test has run yet. */
export function commitTimes(root: string, measured: Times): void {
  const long = Object.entries(measured)
    .filter(([, seconds]) => seconds >= WORTH_COMMITTING_SECONDS)
    .map(([file, seconds]) => [file, Math.round(seconds)] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(path.join(root, COMMITTED), `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}

function readFrom(file: string): Times {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Times;
  } catch {
    return {};
  }
}
