// A separate PostgreSQL that is repeatedly stopped like in a crash: `pg_ctl stop -m immediate` makes no checkpoint, closes no
// session, and the log is replayed at the next start. Its settings are those of the embedded one in production.
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
  /** An immediate stop; resolves when the server has ended. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  /**
   * A start that is interrupted by one more immediate stop after this time, perhaps while it replays its log; then a complete
   * start.
   */
  startStoppedOnce(afterMs: number): Promise<void>;
  /** From the server's own log: requested stops, starts that found no shutdown, and those that had a log to replay. */
  logged(): Readonly<Record<keyof typeof LOGGED, number>>;
}

/** The texts in the server's log. */
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
        // One that started nevertheless is watched, and started again if the stop still reaches it.
        if (!up) await cluster.start();
      }
      count();
    },
    logged: () => counts,
  };
}

/** What was written since the last call; a rotated log starts from the beginning. */
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
