// Copies the embedded database to a directory while it is in use. The copy is made in a temporary directory and renamed when it
// is complete. Therefore a partial copy is never mistaken for a backup.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { clusterDirOf } from '../files/directories.ts';
import { codeOf, EmbeddedError, messageOf } from '../files/errors.ts';
import { syncDirectory } from '../files/unfinished.ts';
import { clusterExists } from '../server/cluster.ts';
import { type EmbeddedOptions, openEmbedded } from '../server/open.ts';
import { type CopyProgress, copyRunningCluster } from './copy.ts';
import { beginBackup } from './session.ts';

export interface BackupOptions extends EmbeddedOptions {
  /** The directory must not exist yet, or must be empty. */
  readonly targetDir: string;
  readonly onProgress?: (progress: CopyProgress) => void;
}

export interface BackupResult {
  readonly targetDir: string;
  readonly files: number;
  readonly bytes: number;
}

export async function backupEmbedded(options: BackupOptions): Promise<BackupResult> {
  const { dataDir, log } = options;
  if (!(await clusterExists(dataDir))) {
    throw new EmbeddedError(
      'cluster_missing',
      `There is nothing to back up: ${clusterDirOf(dataDir)} holds no database.`,
    );
  }
  const targetDir = await checkTarget(options.targetDir, clusterDirOf(await realpath(dataDir)));
  const partial = `${targetDir}.partial-${randomBytes(6).toString('hex')}`;
  const server = await openEmbedded(options);
  try {
    await mkdir(partial, { mode: 0o700 });
    const session = await beginBackup(server.connection);
    const files = await copyRunningCluster(
      partial,
      clusterDirOf(dataDir),
      session,
      options.onProgress,
    ).finally(() => session.close().catch(() => {}));
    await rename(partial, targetDir);
    await syncDirectory(path.dirname(targetDir));
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    log('backup finished', { targetDir, files: files.length, bytes });
    return { targetDir, files: files.length, bytes };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError('backup_failed', `The backup to ${targetDir} failed: ${messageOf(error)}`, error);
  } finally {
    await server.release();
  }
}

async function checkTarget(wanted: string, clusterDir: string): Promise<string> {
  const absolute = path.resolve(wanted);
  refuseInside(absolute, clusterDir);
  await mkdir(path.dirname(absolute), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new EmbeddedError('backup_failed', `${absolute} cannot be created: ${messageOf(error)}`, error);
  });
  const targetDir = path.join(await realpath(path.dirname(absolute)), path.basename(absolute));
  const entries = await readdir(targetDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new EmbeddedError(
      'target_not_empty',
      `${targetDir} is not a directory: ${messageOf(error)}`,
      error,
    );
  });
  if (entries.length > 0) {
    throw new EmbeddedError(
      'target_not_empty',
      `${targetDir} is not empty. Name a new directory for the backup.`,
    );
  }
  refuseInside(targetDir, clusterDir);
  return targetDir;
}

/**
 * This check runs before the parent directories are created, and again after links are resolved. So the backup never creates
 * anything inside the cluster.
 */
function refuseInside(directory: string, clusterDir: string): void {
  if (!`${directory}/`.startsWith(`${clusterDir}/`)) return;
  throw new EmbeddedError(
    'target_not_empty',
    `${directory} is inside the database. Choose a directory elsewhere.`,
  );
}
