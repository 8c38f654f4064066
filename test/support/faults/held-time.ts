// A service in which the test decides when two timeouts end: the drain time, and the database timeout. What a client or a
// database does before they end takes as long as the machine needs; no number of milliseconds would be long enough for every
// machine and short enough to wait for.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../home.ts';
import { until } from '../patience.ts';
import type { RunningProcess, Settings } from '../process.ts';

/** No other timeouts of the service have exactly this value. */
const DRAIN_MS = 54_321;
const DATABASE_MS = 58_321;
/** The database timeout while the database is unreachable. */
const SHORT_MS = 300;
const DRAINS = 'drains until a signal ends it';
/** A file in the service's directory: it means that the database is unreachable. */
const AWAY = 'database-is-away';

/** Loaded before the service. */
const PRELOAD = `import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
const { setTimeout: start } = globalThis;
const { setTimeout: sleep } = timers;
const databaseMs = () => (existsSync('${AWAY}') ? ${SHORT_MS} : ${DATABASE_MS});
globalThis.setTimeout = Object.assign((work, ms, ...given) => {
  if (ms !== ${DATABASE_MS}) return start(work, ms, ...given);
  const began = performance.now();
  const look = () => (performance.now() - began < databaseMs() ? timer.refresh() : work(...given));
  const timer = start(look, ${SHORT_MS});
  return timer;
}, start);
const ended = new Promise((resolve) => process.once('SIGUSR2', resolve));
timers.setTimeout = (ms, ...rest) => {
  if (ms === ${DATABASE_MS}) return sleep(databaseMs(), ...rest);
  if (ms !== ${DRAIN_MS}) return sleep(ms, ...rest);
  process.stdout.write('${DRAINS}\\n');
  return ended;
};
syncBuiltinESMExports();`;

export const HELD_TIME: Settings = {
  DRAIN_MS: String(DRAIN_MS),
  DATABASE_TIMEOUT_MS: String(DATABASE_MS),
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRELOAD)}`,
};

/** From now on each answer asks its client to close. */
export function untilDraining(service: RunningProcess): Promise<void> {
  return until('the service drains', () => service.stdout().includes(DRAINS));
}

export function endDrain(service: RunningProcess): void {
  service.kill('SIGUSR2');
}

/** Current and future database requests time out soon. Returns a function that gives them time again. */
export function giveUpSoon({ root }: Home): () => void {
  const file = path.join(root, AWAY);
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}
