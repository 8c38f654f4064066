// Makes one attempt to start the server: it removes stale locks, starts the server, and evaluates its exit. It never removes a
// file that could belong to a running server on this cluster.
import type { ChildProcess } from 'node:child_process';
import { closeSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from '../files/binaries.ts';
import { prepareSocketDir, socketPathIn } from '../files/directories.ts';
import { EmbeddedError } from '../files/errors.ts';
import { logFileOf, logTail, openLog } from '../files/log-file.ts';
import { pidFileOf, readLock, removeLock } from '../files/postmaster.ts';
import type { Launcher } from './launch.ts';
import { fixedSettings, writeAccessRules } from './settings.ts';

export interface ServerSite {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly log: (message: string, detail?: object) => void;
}

export interface ServerStart {
  readonly child: ChildProcess;
  readonly logOffset: number;
  exit: string | undefined;
}

const retryMs = 250;
const endedBy = 'ended by ';
/** A server writes its pid file in one call. If a file stays blank this long, a crash left it. */
const blankMs = 2_000;
// Another process started the server first, or sessions of a killed server are still running.
const worthAnotherStart = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/;

/** Removes lock files that wrongly prevent a start. Returns the reason if a lock rightly prevents a start. */
export async function clearStaleLocks(site: ServerSite): Promise<string | undefined> {
  const socketPath = socketPathIn(site.socketDir);
  // A server in a different container may share the socket's directory, but it is not in the process table of this container.
  if (await answersOnSocket(socketPath))
    return 'a server that answers on the socket but is not in the process table';
  // A server that was killed during its start leaves one of these two files, complete or blank.
  for (const file of [pidFileOf(site.clusterDir), `${socketPath}.lock`]) {
    const found = readLock(file, site.clusterDir);
    if (found.state === 'running') return `a server that is starting (process ${found.postmaster.pid})`;
    if (found.state === 'blank' && found.ageMs < blankMs) return `a server that is writing ${file}`;
    if (found.state !== 'blank' && found.state !== 'taken') continue;
    const why = found.state === 'blank' ? 'it is blank' : `process ${found.pid} is another program now`;
    site.log('removing a stale lock file', { file, why });
    removeLock(file, found.content);
  }
  return undefined;
}

function answersOnSocket(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath);
    const done = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

export function startServer(site: ServerSite): ServerStart {
  const { launcher, clusterDir, socketDir } = site;
  prepareSocketDir(socketDir, launcher.user);
  writeAccessRules(clusterDir, launcher.user);
  const { fd, offset } = openLog(site.dataDir, launcher.user);
  // PostgreSQL uses the last `-D`. The first one shows in the process table which directory this server uses.
  const directory = ['-D', clusterDir, '-D', launcher.nameOf(clusterDir)];
  const args = [...directory, ...fixedSettings(placeSocket(site) === clusterDir ? '.' : socketDir)];
  const child = launcher.spawnDetached(site.binaries.postgres, args, clusterDir, fd);
  closeSync(fd);
  const start: ServerStart = { child, logOffset: offset, exit: undefined };
  child.once('error', (error) => {
    start.exit = error.message;
  });
  child.once('exit', (code, killedBy) => {
    start.exit = killedBy === null ? `exit ${code}` : `${endedBy}${killedBy}`;
  });
  return start;
}

/**
 * The directory in which the server can create its socket. Callers of an earlier server know only that server's socket directory.
 * A server that is started from inside cannot reach that directory, so a link in it points to the cluster.
 */
function placeSocket({ launcher, dataDir, clusterDir, socketDir }: ServerSite): string {
  const reaches = launcher.how !== 'as_user_from_inside' || !socketDir.startsWith(`${dataDir}/`);
  if (reaches || socketDir === clusterDir) return socketDir;
  rmSync(socketPathIn(socketDir), { force: true });
  symlinkSync(socketPathIn(clusterDir), socketPathIn(socketDir));
  return clusterDir;
}

/** Throws if another attempt would fail in the same way. */
export async function judgeExit(site: ServerSite, start: ServerStart, earlierStarts: number): Promise<void> {
  const tail = logTail(site.dataDir, start.logOffset);
  // Exit 0 is a normal stop: another process used the server and stopped it before this process connected.
  if (start.exit === 'exit 0' || worthAnotherStart.test(tail)) return await sleep(retryMs);
  // The server was killed from outside. This may happen once by accident, but not several times.
  if (start.exit?.startsWith(endedBy) && earlierStarts < 3) return await sleep(retryMs);
  throw new EmbeddedError(
    'start_failed',
    `PostgreSQL did not start (${start.exit}). Its last lines in ${logFileOf(site.dataDir)}:\n${tail || '(none)'}`,
  );
}
