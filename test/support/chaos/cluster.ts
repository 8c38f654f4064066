// A PostgreSQL of the test's own that is stopped as by a crash, again and again: what `pg_ctl stop -m immediate` does,
// no checkpoint, no farewell, and the log replayed at the next start. Its settings are those of production's embedded one.
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
  /** An immediate stop; resolves when the server is gone. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  /** A start that is met by one more immediate stop after so long, maybe while it replays its log; then a whole one. */
  startStoppedOnce(afterMs: number): Promise<void>;
  /** By the server's own log: stops asked for, starts that found no shutdown, and those that had something to replay. */
  logged(): Readonly<Record<keyof typeof LOGGED, number>>;
}

/** What the server writes into its log. */
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
    await cluster.stop(); // waits until it is gone, and keeps it from being started again by itself
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
        // One that came up nevertheless is watched, and started again if the stop still reaches it.
        if (!up) await cluster.start();
      }
      count();
    },
    logged: () => counts,
  };
}

/** What was written since it was last asked; a log that was set aside begins anew. */
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
