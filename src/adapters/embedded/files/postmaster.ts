// Finds out whether a PostgreSQL server runs on a cluster, from its postmaster.pid and the process table. A pid file counts
// only if its process is a postgres on this directory. The file is removed only if that is proven false.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { sameFile } from './directories.ts';
import { codeOf, EmbeddedError } from './errors.ts';

export interface Postmaster {
  readonly pid: number;
  /** Empty until the starting server has written it. */
  readonly socketDir: string;
  readonly port: number;
}

export type PostmasterFinding =
  | { readonly state: 'absent' }
  | { readonly state: 'running'; readonly postmaster: Postmaster }
  /** The process in the file has ended. PostgreSQL removes such a file itself. */
  | { readonly state: 'dead' }
  /**
   * The file has no readable content. A server is writing it now, or the server died while it wrote the file, for example by a
   * power loss.
   */
  | { readonly state: 'blank'; readonly content: string; readonly ageMs: number }
  /** The process id now belongs to a different program. PostgreSQL would mistake it for a running server. */
  | { readonly state: 'taken'; readonly pid: number; readonly content: string };

export const pidFileOf = (clusterDir: string): string => path.join(clusterDir, 'postmaster.pid');

export const findPostmaster = (clusterDir: string): PostmasterFinding =>
  readLock(pidFileOf(clusterDir), clusterDir);

/** Reads postmaster.pid or the lock file of the socket. Both have the same lines, and both prevent a start. */
export function readLock(file: string, clusterDir: string): PostmasterFinding {
  const content = readIfThere(file);
  if (content === undefined) return { state: 'absent' };
  const [pidLine = '', , , portLine = '', socketLine = ''] = content.split('\n');
  const pid = Number.parseInt(pidLine, 10);
  if (!Number.isSafeInteger(pid) || pid === 0) {
    const writtenMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return { state: 'blank', content, ageMs: Date.now() - writtenMs };
  }
  // A negative process id belongs to a single-user session. PostgreSQL itself checks this session when it starts.
  if (pid < 0) return { state: 'dead' };
  const whose = whoseProcess(pid, clusterDir);
  if (whose === 'gone') return { state: 'dead' };
  if (whose === 'other') return { state: 'taken', pid, content };
  return {
    state: 'running',
    postmaster: {
      pid,
      socketDir: socketLine.trim() === '' ? '' : path.resolve(clusterDir, socketLine.trim()),
      port: Number.parseInt(portLine, 10),
    },
  };
}

/** Also true for a zombie process, which exists but no longer runs. See whoseProcess. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

export function whoseProcess(pid: number, clusterDir: string): 'ours' | 'other' | 'gone' {
  if (!pidExists(pid)) return 'gone';
  const command = process.platform === 'linux' ? commandFromProc(pid) : commandFromPs(pid, clusterDir);
  if (command === 'gone') return 'gone';
  // Kernel threads and zombies have no command line, and they are not servers.
  if (command === undefined || command[0] === undefined || command[0] === '') return 'other';
  if (path.basename(command[0]) !== 'postgres') return 'other';
  const option = command.indexOf('-D');
  const directory = option === -1 ? undefined : command[option + 1];
  if (directory === undefined) {
    throw new EmbeddedError(
      'cluster_in_doubt',
      `Process ${pid}, named in ${pidFileOf(clusterDir)}, is a PostgreSQL server, but its data directory cannot be determined. ` +
        `If it does not serve this database, remove ${pidFileOf(clusterDir)}; otherwise stop it (kill -INT ${pid}).`,
    );
  }
  return sameFile(directory, clusterDir) ? 'ours' : 'other';
}

function commandFromProc(pid: number): string[] | 'gone' | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch (error) {
    // The process is hidden from this process (hidepid), so it belongs to a different user. The server runs as the owner of the
    // cluster.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return pidExists(pid) ? undefined : 'gone';
    return undefined;
  }
}

/** ps joins the arguments with spaces, so the directory is recognised by its position in the line. */
function commandFromPs(pid: number, clusterDir: string): string[] | 'gone' | undefined {
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) return pidExists(pid) ? undefined : 'gone';
  const line = stdout.trim();
  const marker = `postgres -D ${clusterDir}`;
  if (line.endsWith(marker) || line.includes(`${marker} `)) return ['postgres', '-D', clusterDir];
  const [program = '', ...rest] = line.split(' ');
  return [program, ...rest];
}

/**
 * Removes a lock file that does not belong to a running server. The file is first renamed and then checked again. If a server
 * started in the meantime, its file is put back.
 */
export function removeLock(file: string, judgedContent: string): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== judgedContent) linkSync(aside, file);
  } catch (error) {
    // Another process has already removed the file or written it again.
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
