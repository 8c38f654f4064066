// A new cluster is made in a temporary directory next to the final one, and is renamed at the end. Therefore an incomplete
// cluster is never visible. The leftovers of ended processes are removed.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { clusterDirOf } from './directories.ts';
import { codeOf } from './errors.ts';
import { findPostmaster, pidExists } from './postmaster.ts';

const leftoverPattern = /^postgres\.(?:new|restore)-(\d+)-[0-9a-f]+$/;
const leftoverAgeMs = 10 * 60_000;

/** The path of a temporary directory next to the cluster. Its name contains the id of this process. */
export const unfinishedPath = (dataDir: string, kind: 'new' | 'restore'): string =>
  path.join(dataDir, `postgres.${kind}-${process.pid}-${randomBytes(6).toString('hex')}`);

/** True if the finished cluster was moved to its place. False if another process had already placed a cluster. */
export async function placeCluster(finished: string, dataDir: string): Promise<boolean> {
  try {
    await rename(finished, clusterDirOf(dataDir));
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await syncDirectory(dataDir);
  return true;
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes the unfinished directories of processes that have ended. The minimum age protects the directories of a process in a
 * different container.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const owner = leftoverPattern.exec(name)?.[1];
    if (owner === undefined || pidExists(Number(owner))) continue;
    const leftover = path.join(dataDir, name);
    const found = await lstat(leftover).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < leftoverAgeMs) continue;
    const finding = findPostmaster(clusterDirOf(leftover));
    if (finding.state === 'running') {
      // A restore was killed. Its server is stopped now, and its files are removed at the next start.
      process.kill(finding.postmaster.pid, 'SIGINT');
      continue;
    }
    await rm(leftover, { recursive: true, force: true });
  }
}
