// Runs several services as processes on one database. The test kills and restarts some of them while others continue. If a
// process ends without a kill, the test fails for that reason.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileService } from '../embedded/used-home.ts';
import { type Home, otherPorts } from '../home.ts';
import { until } from '../patience.ts';
import type { Ended, Settings } from '../process.ts';
import { type Killed, makeSeat } from './seat.ts';

export interface Fleet {
  readonly urls: readonly string[];
  /** The indexes of the services that have a process. `ready`: only services whose process responds. */
  places(which: 'ready' | 'running'): readonly number[];
  /**
   * Kills these services at the same time with kill -9. Each service restarts after the pause; this function does not wait for
   * the restart.
   */
  kill(places: readonly number[], pauseMs: number): Promise<readonly Killed[]>;
  whole(): Promise<void>;
  check(): void;
  stop(): Promise<readonly Ended[]>;
  restarts(): number;
  troubles(): Readonly<Record<string, number>>;
}

export async function startFleet(
  t: TestContext,
  home: Home,
  size: number,
  settings: Settings,
): Promise<Fleet> {
  const homes = [home];
  while (homes.length < size) homes.push(await otherPorts(home));
  const seats = homes.map((each) => makeSeat(each, { LOG_LEVEL: 'warn', ...settings }));
  let over = false;
  // This hook is registered after the home's own hook, so it runs before the home is emptied. From then on, no process may
  // start.
  t.after(() => {
    over = true;
  });
  const check = () => {
    const collapsed = seats.flatMap((seat) => seat.collapse() ?? []);
    assert.deepEqual(collapsed, [], 'services that ended by themselves');
  };
  const ready = () =>
    until('the services are ready', () => {
      check();
      return seats.every((seat) => seat.isReady());
    });
  const processes = () => seats.flatMap((seat) => seat.past);

  await compileService(t);
  for (const seat of seats) seat.start();
  await ready();
  const startedFirst = processes().length;

  return {
    urls: seats.map(({ url }) => url),
    places: (which) =>
      [...seats.keys()].filter((place) =>
        which === 'ready' ? seats[place]!.isReady() : seats[place]!.isRunning(),
      ),
    kill: async (places, pauseMs) => {
      const hit = places.map((place) => seats[place]!);
      const killed = await Promise.all(hit.map((seat) => seat.kill()));
      void sleep(pauseMs).then(() => {
        if (!over) for (const seat of hit) seat.start();
      });
      return killed;
    },
    whole: ready,
    check,
    stop: () => Promise.all(seats.map((seat) => seat.stop())),
    restarts: () => processes().length - startedFirst,
    troubles: () => countTroubles(processes().map((process) => process.stdout())),
  };
}

function countTroubles(logs: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of logs.join('\n').split('\n')) {
    const logged = readLine(line);
    if (logged === undefined) continue;
    const { msg, err, constraint } = logged;
    const parts = [msg, err?.message, constraint].filter((part) => part !== undefined);
    const what = parts.join(': ').replaceAll(/\/\S*\/\.s\.PGSQL\.\d+/g, 'socket');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

interface LogLine {
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  readonly constraint?: string;
}

/** Returns undefined if the text is not a log line, because the last line of a killed process may be truncated anywhere. */
function readLine(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
