// Opens the embedded PostgreSQL of a DATA_DIR for this process and releases it again. The first process starts the server, and
// the last process that releases it stops it. This also works if a process was killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from '../files/binaries.ts';
import { clusterDirOf, prepareDataDir, socketDirFor } from '../files/directories.ts';
import { EmbeddedError } from '../files/errors.ts';
import { postgresUser } from '../files/os-user.ts';
import { findPostmaster, whoseProcess } from '../files/postmaster.ts';
import { prepareCluster } from './cluster.ts';
import type { EmbeddedConnection } from './connection.ts';
import { chooseLauncher } from './launch.ts';
import { type ReachedServer, reachServer } from './reach.ts';
import type { ServerSite } from './start.ts';
import { superviseServer } from './supervise.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: (message: string, detail?: object) => void;
  /** How many milliseconds to wait for a starting or recovering server. The default is 60 s. */
  readonly startTimeoutMs?: number;
}

export interface EmbeddedServer {
  readonly connection: EmbeddedConnection;
  /** Stops the database if no other process uses it. Close your own connections first. */
  release(): Promise<'stopped' | 'left_running'>;
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 120_000;
/** When the server is released, how long to wait for a recovering server to accept a connection, so that it can be stopped. */
const lastEntryMs = 15_000;

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const site = await prepareSite(options);
  const reached = await reachServer(site, {
    timeoutMs: options.startTimeoutMs ?? startTimeoutMs,
    mayStart: true,
  });
  site.log(reached.adopted ? 'adopted the running database' : 'started the database', {
    postmasterPid: reached.postmaster.pid,
    socketDir: reached.connection.host,
    user: site.launcher.user.name,
    launched: site.launcher.how,
  });
  // A restarted server uses the same socket as before, because the caller already connects to it.
  const supervision = superviseServer({ ...site, socketDir: reached.connection.host }, reached);
  let released: Promise<'stopped' | 'left_running'> | undefined;
  return {
    connection: reached.connection,
    release: () => {
      released ??= supervision.stop().then((last) => releaseServer(site, last));
      return released;
    },
  };
}

async function prepareSite({ dataDir: wanted, log }: EmbeddedOptions): Promise<ServerSite> {
  const found = await findBinaries();
  const dataDir = prepareDataDir(wanted);
  const clusterDir = clusterDirOf(dataDir);
  const launcher = await chooseLauncher(postgresUser([clusterDir, dataDir]), found, dataDir);
  const { binaries } = launcher;
  await prepareCluster(dataDir, binaries, launcher, log);
  return {
    dataDir,
    clusterDir,
    socketDir: socketDirFor(dataDir, launcher.how === 'as_user_from_inside'),
    binaries,
    launcher,
    log,
  };
}

async function releaseServer(site: ServerSite, reached: ReachedServer): Promise<'stopped' | 'left_running'> {
  let current = reached;
  let answer = await current.hold.giveUp();
  if (answer === 'lost') {
    await current.hold.close();
    try {
      // Either another process is stopping the server, or the server is recovering from a crash and only this process can stop
      // it.
      current = await reachServer(site, { timeoutMs: lastEntryMs, mayStart: false });
    } catch {
      return findPostmaster(site.clusterDir).state === 'running' ? 'left_running' : 'stopped';
    }
    answer = await current.hold.giveUp();
  }
  try {
    if (answer !== 'exclusive') return 'left_running';
    await stopServer(site, current.postmaster.pid);
    return 'stopped';
  } finally {
    await current.hold.close();
  }
}

/** A fast shutdown: the server rolls back open database transactions, writes committed data to disk and ends sessions. */
async function stopServer(site: ServerSite, pid: number): Promise<void> {
  const beganAt = performance.now();
  if (whoseProcess(pid, site.clusterDir) === 'ours') process.kill(pid, 'SIGINT');
  while (whoseProcess(pid, site.clusterDir) === 'ours') {
    if (performance.now() - beganAt > stopTimeoutMs) {
      throw new EmbeddedError(
        'stop_timeout',
        `PostgreSQL (process ${pid}) did not stop within ${stopTimeoutMs / 1000} s; it is still writing or its disk hangs.`,
      );
    }
    await sleep(20);
  }
  site.log('stopped the database', { tookMs: Math.round(performance.now() - beganAt) });
}
