// The directories of the embedded PostgreSQL: DATA_DIR, the cluster inside it, and the socket directory. Only the owner may
// enter them. A directory that belongs to a different user is never trusted.
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codeOf, EmbeddedError, messageOf } from './errors.ts';
import { isRoot, type OsUser } from './os-user.ts';

export const socketPort = 5432;
/** The length limit of a socket path, sun_path, is 104 bytes on macOS and 108 on Linux, including the terminating zero byte. */
const maxSocketPathBytes = 100;

export const clusterDirOf = (dataDir: string): string => path.join(dataDir, 'postgres');
export const socketPathIn = (socketDir: string, port = socketPort): string =>
  path.join(socketDir, `.s.PGSQL.${port}`);

/** Creates DATA_DIR when it is missing and returns its real path, so that every process uses the same path. */
export function prepareDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const real = realpathSync(dataDir);
    accessSync(real, constants.R_OK | constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw new EmbeddedError(
      'data_dir_unusable',
      `DATA_DIR ${dataDir} cannot be used: ${messageOf(error)}. It must be a directory that this user can write to.`,
      error,
    );
  }
}

/**
 * The directory of the socket. It is inside DATA_DIR, or in the cluster directory if the server can reach only that one. If the
 * path is too long for a socket, the directory is under /tmp.
 */
export function socketDirFor(dataDir: string, inCluster: boolean): string {
  const inside = inCluster ? clusterDirOf(dataDir) : path.join(dataDir, 'postgres-socket');
  if (Buffer.byteLength(socketPathIn(inside)) <= maxSocketPathBytes) return inside;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 24);
  return path.join(temporaryRoot(), `sliproad-${hash}`);
}

/** Prefers /tmp to TMPDIR, because the service and a command with a different TMPDIR must use the same directory. */
function temporaryRoot(): string {
  try {
    accessSync('/tmp', constants.W_OK | constants.X_OK);
    return '/tmp';
  } catch {
    return os.tmpdir();
  }
}

export function prepareSocketDir(socketDir: string, user: OsUser): void {
  try {
    mkdirSync(socketDir, { mode: 0o700 });
    if (isRoot()) lchownSync(socketDir, user.uid, user.gid);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new EmbeddedError(
        'data_dir_unusable',
        `${socketDir} cannot be created: ${messageOf(error)}`,
        error,
      );
    }
  }
  takeOverSocketDir(socketDir, user);
  checkSocketDir(socketDir, user);
}

/**
 * Fixes the owner and the permissions of the socket directory. Root may have created it and crashed before it changed the
 * owner.
 */
function takeOverSocketDir(socketDir: string, user: OsUser): void {
  const found = lstatSync(socketDir);
  if (!found.isDirectory() || ![process.getuid?.(), user.uid].includes(found.uid)) return;
  if ((found.mode & 0o777) !== 0o700) chmodSync(socketDir, 0o700);
  if (isRoot() && found.uid === 0) lchownSync(socketDir, user.uid, user.gid);
}

/** A user who can write to the directory could replace the socket with the socket of a false server. */
export function checkSocketDir(socketDir: string, user: OsUser): void {
  const found = lstatSync(socketDir, { throwIfNoEntry: false });
  const problem =
    found === undefined
      ? 'does not exist here (a private /tmp?)'
      : !found.isDirectory()
        ? 'is not a directory'
        : found.uid !== user.uid
          ? `belongs to user id ${found.uid}, not to ${user.name} (${user.uid})`
          : (found.mode & 0o077) !== 0
            ? 'is open to other users'
            : undefined;
  if (problem === undefined) return;
  throw new EmbeddedError(
    'socket_dir_not_ours',
    `The directory for the database socket, ${socketDir}, ${problem}. ` +
      'Remove it, or choose a shorter DATA_DIR so that the socket fits inside it.',
  );
}

export const sameFile = (one: string, other: string): boolean => {
  const a = statSync(one, { throwIfNoEntry: false });
  const b = statSync(other, { throwIfNoEntry: false });
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
};
