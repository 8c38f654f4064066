// Several services as processes on one database, killed and started again while others go on.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHome, otherPorts } from './home.ts';
import { type Ended, type ServiceProcess, type Settings, startProcess, until } from './process.ts';

export interface Fleet {
  /** The addresses of all, running or not. */
  readonly urls: readonly string[];
  /** kill -9 of one that runs; after the pause it is started again, which nobody waits for here. */
  kill(which: number, pauseMs: number): Promise<void>;
  /** Resolves when all run. */
  whole(): Promise<void>;
  stop(): Promise<readonly Ended[]>;
  /** How often each warning and error was logged, by all that ever ran. */
  troubles(): Readonly<Record<string, number>>;
}

export async function startFleet(t: TestContext, size: number, settings: Settings): Promise<Fleet> {
  const home = await makeHome(t);
  const quiet = { LOG_LEVEL: 'warn', ...settings };
  const past: ServiceProcess[] = [];
  const start = async (place: number) => {
    const process = await startProcess(t, { home: homes[place]!, settings: quiet });
    past.push(process);
    running[place] = process;
  };
  const homes = [home];
  while (homes.length < size) homes.push(await otherPorts(home));
  const running: (ServiceProcess | undefined)[] = homes.map(() => undefined);
  // Ends in order once, and leaves its compiled code to those that will not.
  await (await startProcess(t, { home, settings: quiet })).stop();
  await Promise.all(homes.map((_, place) => start(place)));
  const starting = new Set<Promise<void>>();
  return {
    urls: homes.map(({ port }) => `http://127.0.0.1:${port}`),
    kill: async (which, pauseMs) => {
      const up = () => running.flatMap((process, place) => (process === undefined ? [] : [place]));
      await until('one of the services runs', () => up().length > 0);
      const place = up()[which % up().length]!;
      const process = running[place]!;
      running[place] = undefined;
      process.kill('SIGKILL');
      assert.equal((await process.ended).signal, 'SIGKILL');
      const again = sleep(pauseMs).then(() => start(place));
      again.catch(() => undefined); // told by whole()
      starting.add(again);
    },
    whole: async () => {
      await Promise.all(starting);
    },
    stop: () => Promise.all(running.map((process) => process!.stop())),
    troubles: () => countTroubles(past.map((process) => process.stdout()).join('\n')),
  };
}

function countTroubles(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const match = /^\{.*\}$/.test(line) ? JSON.parse(line) : undefined;
    if (match === undefined) continue;
    const { msg, err, constraint } = match;
    const what = [msg, err?.message, constraint].filter((part) => part !== undefined).join(': ');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
