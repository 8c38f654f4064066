// Work that is not finished yet lives beside the cluster under a name of its own and is renamed into place at the
// end. The rule: a half-made cluster is never visible, and what a dead process left behind is cleared away.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { clusterDirOf } from './directories.ts';
import { codeOf } from './errors.ts';
import { findPostmaster, pidExists } from './postmaster.ts';

const leftoverPattern = /^postgres\.(?:new|restore)-(\d+)-[0-9a-f]+$/;
const leftoverAgeMs = 10 * 60_000;

/** A name beside the cluster for something not finished yet; it carries our process id. */
export const unfinishedPath = (dataDir: string, kind: 'new' | 'restore'): string =>
  path.join(dataDir, `postgres.${kind}-${process.pid}-${randomBytes(6).toString('hex')}`);

/** True when the finished cluster took its place, false when another process had been faster. */
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

/** Removes what a process that no longer lives left unfinished; the age spares one in another container. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const owner = leftoverPattern.exec(name)?.[1];
    if (owner === undefined || pidExists(Number(owner))) continue;
    const leftover = path.join(dataDir, name);
    const found = await lstat(leftover).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < leftoverAgeMs) continue;
    const finding = findPostmaster(clusterDirOf(leftover));
    if (finding.state === 'running') {
      // A restore was killed; its server goes now, its files at the next start.
      process.kill(finding.postmaster.pid, 'SIGINT');
      continue;
    }
    await rm(leftover, { recursive: true, force: true });
  }
}
