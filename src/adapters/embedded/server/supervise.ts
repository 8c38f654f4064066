// Watches the server while this process uses it, whichever process started it. If the server dies, this process starts it and
// takes the lock again, with growing pauses between attempts. It does so until it releases the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../files/errors.ts';
import { pidExists } from '../files/postmaster.ts';
import { type ReachedServer, reachServer } from './reach.ts';
import type { ServerSite } from './start.ts';

export interface Supervision {
  /** Ends the watch and returns the last server that was reached. Its lock may be lost. */
  stop(): Promise<ReachedServer>;
}

const checkEveryMs = 500;
const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** After a server has run this long, the pauses start again at their minimum. */
const settledMs = 30_000;
const startTimeoutMs = 60_000;

export function superviseServer(site: ServerSite, first: ReachedServer): Supervision {
  const ending = new AbortController();
  let reached = first;
  let reachedAt = performance.now();
  let tries = 0;
  let recovering: Promise<void> | undefined;

  async function recover(): Promise<void> {
    if (performance.now() - reachedAt > settledMs) tries = 0;
    const { pid } = reached.postmaster;
    site.log(pidExists(pid) ? 'lost the session that holds the database' : 'the database is gone', { pid });
    await reached.hold.close();
    while (!ending.signal.aborted) {
      try {
        await pause(tries++);
        reached = await reachServer(site, {
          timeoutMs: startTimeoutMs,
          mayStart: true,
          signal: ending.signal,
        });
        reached.hold.rest();
        reachedAt = performance.now();
        site.log('the database is back', { postmasterPid: reached.postmaster.pid, adopted: reached.adopted });
        return;
      } catch (error) {
        if (!ending.signal.aborted)
          site.log('the database did not start', { error: messageOf(error), tries });
      }
    }
  }

  const pause = (done: number) =>
    sleep(Math.min(firstPauseMs * 2 ** done, longestPauseMs), undefined, {
      ref: false,
      signal: ending.signal,
    });

  function check(): void {
    if (ending.signal.aborted || recovering !== undefined) return;
    if (!reached.hold.lost && pidExists(reached.postmaster.pid)) return;
    recovering = recover().finally(() => {
      recovering = undefined;
      // The server may have died again before the listener was added.
      if (!ending.signal.aborted) reached.hold.onLost(check);
    });
  }

  reached.hold.rest();
  reached.hold.onLost(check);
  const timer = setInterval(check, checkEveryMs).unref();
  return {
    stop: async () => {
      ending.abort();
      clearInterval(timer);
      await recovering;
      return reached;
    },
  };
}
