// A service in which the test decides when two time-outs end: the drain time-out and the database time-out. Clients and the
// database may take as long as the machine needs. A fixed number of milliseconds would be too short for some machines, or too
// long to wait for.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../home.ts';
import { until } from '../patience.ts';
import type { RunningProcess, Settings } from '../process.ts';

/** No other time-out of the service has exactly one of these values. */
const DRAIN_MS = 54_321;
const DATABASE_MS = 58_321;
/** The database time-out while the database is unreachable. */
const SHORT_MS = 300;
const DRAINS = 'drains until a signal ends it';
/** If this file exists in the service's directory, the database counts as unreachable. */
const AWAY = 'database-is-away';

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

/** Waits until the service drains. From then on, each response asks its client to close the connection. */
export function untilDraining(service: RunningProcess): Promise<void> {
  return until('the service drains', () => service.stdout().includes(DRAINS));
}

export function endDrain(service: RunningProcess): void {
  service.kill('SIGUSR2');
}

/** Makes current and future database requests time out soon. Returns a function that restores the normal time-out. */
export function giveUpSoon({ root }: Home): () => void {
  const file = path.join(root, AWAY);
  writeFileSync(file, '');
  return () => rmSync(file, { force: true });
}
