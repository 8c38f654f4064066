// A service two of whose time limits end when the test says so: the time to drain, and the time in which its database has to answer.
// What a client or a database does before they end takes as long as the machine wants; no number of milliseconds would be
// enough for every machine and short enough to wait for.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../home.ts';
import { until } from '../patience.ts';
import type { RunningProcess, Settings } from '../process.ts';

/** No other times of the service are as long to the millisecond. */
const DRAIN_MS = 54_321;
const DATABASE_MS = 58_321;
/** How long the database has to answer while it is away. */
const SHORT_MS = 300;
const DRAINS = 'drains until a signal ends it';
/** In the directory in which the service runs: the database is away. */
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

/** What was asked of the database, and will be, is given up soon. Answers how to give it time again. */
export function giveUpSoon({ root }: Home): () => void {
  const file = path.join(root, AWAY);
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}
