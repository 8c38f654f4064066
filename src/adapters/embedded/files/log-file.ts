// The log of the server, DATA_DIR/postgres.log. A large log is renamed at the next start. The error of a failed start contains
// the last lines of the log.
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { codeOf } from './errors.ts';
import { isRoot, type OsUser } from './os-user.ts';

const maxBytes = 10 * 1024 * 1024;
const tailBytes = 8 * 1024;
const tailLines = 20;

export const logFileOf = (dataDir: string): string => path.join(dataDir, 'postgres.log');

/** Opens the log for appending. The caller closes `fd` after it has passed `fd` to the server. */
export function openLog(dataDir: string, user: OsUser): { fd: number; offset: number } {
  const file = logFileOf(dataDir);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) {
    try {
      renameSync(file, `${file}.1`);
    } catch (error) {
      // Another process that starts at the same time has already renamed the log.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  // Links are not followed, because DATA_DIR may belong to a different user when the process runs as root.
  const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW;
  const fd = openSync(file, flags, 0o600);
  if (isRoot()) fchownSync(fd, user.uid, user.gid);
  return { fd, offset: fstatSync(fd).size };
}

export function logTail(dataDir: string, offset: number): string {
  let fd: number;
  try {
    fd = openSync(logFileOf(dataDir), constants.O_RDONLY);
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(Math.min(offset, size), size - tailBytes);
    const buffer = Buffer.alloc(size - from);
    const read = readSync(fd, buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, read).trim().split('\n').slice(-tailLines).join('\n');
  } finally {
    closeSync(fd);
  }
}
