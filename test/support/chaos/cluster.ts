// A separate PostgreSQL that the test repeatedly stops as in a crash. `pg_ctl stop -m immediate` makes no checkpoint and closes
// no session, and the server replays its log at the next start. The server has the settings of the embedded PostgreSQL in
// production.
import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { logFileOf } from '../../../src/adapters/embedded/files/log-file.ts';
import { type Home, postmasterOf, signalAll } from '../home.ts';
import { startOwnCluster } from '../own-cluster.ts';
import { until } from '../patience.ts';

export interface CrashingCluster {
  readonly url: string;
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  /**
   * Starts the server, and interrupts the start after this time with one more immediate stop, perhaps while the server replays
   * its log. Then starts it completely.
   */
  startStoppedOnce(afterMs: number): Promise<void>;
  /** Counts from the server's own log: requested stops, starts after an unclean shutdown, and starts that replayed a log. */
  logged(): Readonly<Record<keyof typeof LOGGED, number>>;
}

const LOGGED = {
  immediateStops: 'received immediate shutdown request',
  recoveries: 'was not properly shut down; automatic recovery in progress',
  replays: 'redo starts at',
} as const;

export async function startCrashingCluster(t: TestContext, home: Home): Promise<CrashingCluster> {
  const cluster = await startOwnCluster(t, home);
  const dataDir = path.join(home.root, 'cluster');
  const readLog = followLog(logFileOf(dataDir));
  const counts = { immediateStops: 0, recoveries: 0, replays: 0 };
  const count = () => {
    const text = readLog();
    for (const what of ['immediateStops', 'recoveries', 'replays'] as const) {
      counts[what] += text.split(LOGGED[what]).length - 1;
    }
  };
  const runningPid = async () => {
    let pid: number | undefined;
    await until('the database server runs', () => {
      pid = postmasterOf(dataDir)?.pid;
      return pid !== undefined;
    });
    return pid!;
  };
  const quit = async () => {
    signalAll([await runningPid()], 'SIGQUIT');
  };
  const stopAtOnce = async () => {
    await quit();
    await cluster.stop(); // waits until the server has ended, and prevents an automatic restart
    assert.equal(postmasterOf(dataDir), undefined, 'the server is gone');
  };
  const start = async () => {
    await cluster.start();
    count();
  };
  return {
    url: cluster.url,
    stopAtOnce,
    start,
    startStoppedOnce: async (afterMs) => {
      let up = false;
      const starting = cluster.start().then(
        () => {
          up = true;
        },
        () => undefined, // the stop came first
      );
      await runningPid();
      await sleep(afterMs);
      if (up) {
        await stopAtOnce();
        await cluster.start();
      } else {
        await quit();
        await starting;
        // If the server has started despite the stop, the stop may still reach it. The cluster then notices this and restarts
        // the server.
        if (!up) await cluster.start();
      }
      count();
    },
    logged: () => counts,
  };
}

/** Returns the text that the server wrote since the last call. A rotated log is read from the beginning. */
function followLog(file: string): () => string {
  let offset = 0;
  return () => {
    const { size } = statSync(file);
    if (size < offset) offset = 0;
    const bytes = Buffer.alloc(size - offset);
    const fd = openSync(file, 'r');
    const read = readSync(fd, bytes, 0, bytes.length, offset);
    closeSync(fd);
    offset += read;
    return bytes.toString('utf8', 0, read);
  };
}
