// Connects a process to the server. It uses the running server or starts one, and waits until the server accepts connections
// and the process holds the lock. Any number of processes may do this at the same time, and all of them use the same server.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSocketDir } from '../files/directories.ts';
import { EmbeddedError } from '../files/errors.ts';
import { logFileOf, logTail } from '../files/log-file.ts';
import { findPostmaster, type Postmaster } from '../files/postmaster.ts';
import { type EmbeddedConnection, makeEmbeddedConnection } from './connection.ts';
import { type ServerHold, takeHold } from './hold.ts';
import { writeAccessRules } from './settings.ts';
import { clearStaleLocks, judgeExit, type ServerSite, type ServerStart, startServer } from './start.ts';

export interface ReachedServer {
  readonly postmaster: Postmaster;
  readonly connection: EmbeddedConnection;
  readonly hold: ServerHold;
  readonly adopted: boolean;
}

export interface ReachLimits {
  readonly timeoutMs: number;
  readonly mayStart: boolean;
  readonly signal?: AbortSignal;
}

const pollMs = 50;
const progressMs = 5_000;
/** How long a server may be starting or stopping before the process treats it as one that it cannot see. */
const obstacleMs = 5_000;

export async function reachServer(site: ServerSite, limits: ReachLimits): Promise<ReachedServer> {
  const beganAt = performance.now();
  let progressAt = beganAt + progressMs;
  let obstacleAt: number | undefined;
  let start: ServerStart | undefined;
  let starts = 0;
  let waitingFor = 'the server to start';
  for (;;) {
    // The wait goes on while a start by this process is in progress. After an abort, no process would stop that server.
    if (start === undefined || start.exit !== undefined) limits.signal?.throwIfAborted();
    const finding = findPostmaster(site.clusterDir);
    if (finding.state === 'running') {
      obstacleAt = undefined;
      const outcome = await enterServer(site, finding.postmaster);
      if ('hold' in outcome) return { ...outcome, adopted: start?.child.pid !== finding.postmaster.pid };
      waitingFor = outcome.notYet;
    } else if (start === undefined || start.exit !== undefined) {
      if (start !== undefined) await judgeExit(site, start, starts++);
      start = undefined;
      if (!limits.mayStart) throw serverGoneError(site);
      const obstacle = await clearStaleLocks(site);
      if (obstacle === undefined) {
        obstacleAt = undefined;
        start = startServer(site);
      } else {
        waitingFor = obstacle;
        obstacleAt ??= performance.now();
        if (performance.now() - obstacleAt > obstacleMs) throw clusterInDoubtError(site, obstacle);
      }
    }
    const now = performance.now();
    if (now - beganAt > limits.timeoutMs) throw timedOutError(site, now - beganAt, waitingFor, start);
    if (now > progressAt) {
      progressAt += progressMs;
      site.log('waiting for the database', { waitedMs: Math.round(now - beganAt), waitingFor });
    }
    await sleep(pollMs);
  }
}

async function enterServer(
  site: ServerSite,
  postmaster: Postmaster,
): Promise<Omit<ReachedServer, 'adopted'> | { readonly notYet: string }> {
  if (postmaster.socketDir === '') return { notYet: 'the server to open its socket' };
  // Uses the socket directory that the running server reports, because the server may have been started with a different one.
  checkSocketDir(postmaster.socketDir, site.launcher.user);
  const connection = makeEmbeddedConnection(postmaster.socketDir, postmaster.port);
  const outcome = await takeHold(connection, () => {
    if (!writeAccessRules(site.clusterDir, site.launcher.user)) return false;
    process.kill(postmaster.pid, 'SIGHUP');
    return true;
  });
  return 'notYet' in outcome ? outcome : { postmaster, connection, hold: outcome };
}

const clusterInDoubtError = (site: ServerSite, obstacle: string): EmbeddedError =>
  new EmbeddedError(
    'cluster_in_doubt',
    `${site.dataDir} seems to be in use: there is ${obstacle}. Two servers on one directory would destroy it, so ` +
      'none was started. Stop the other one (another container with the same volume?), then start again.',
  );

const serverGoneError = (site: ServerSite): EmbeddedError =>
  new EmbeddedError('cluster_missing', `No server runs on ${site.clusterDir}.`);

function timedOutError(
  site: ServerSite,
  waitedMs: number,
  waitingFor: string,
  start: ServerStart | undefined,
): EmbeddedError {
  const tail = start === undefined ? '' : `\n${logTail(site.dataDir, start.logOffset)}`;
  return new EmbeddedError(
    'start_timeout',
    `The database was not ready after ${Math.round(waitedMs / 1000)} s, waiting for: ${waitingFor}. It is still ` +
      `starting; see ${logFileOf(site.dataDir)} and start again.${tail}`,
  );
}
