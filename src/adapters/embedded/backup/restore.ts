// Restores a backup as the database of an empty DATA_DIR. The backup is checked and recovered in a temporary directory, where
// the caller pauses money movements. Only when all of this has succeeded, it is moved to its final place.
import { lchown, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { findBinaries } from '../files/binaries.ts';
import { copyFile, forEachInParallel } from '../files/copy-file.ts';
import { clusterDirOf, prepareDataDir } from '../files/directories.ts';
import { EmbeddedError } from '../files/errors.ts';
import { isRoot } from '../files/os-user.ts';
import { placeCluster, syncDirectory, unfinishedPath } from '../files/unfinished.ts';
import { clusterExists } from '../server/cluster.ts';
import type { EmbeddedConnection } from '../server/connection.ts';
import { type EmbeddedOptions, openEmbedded } from '../server/open.ts';
import type { CopyProgress } from './copy.ts';
import { checkSizes, damagedBackupError, type Manifest, readManifest } from './manifest.ts';

export interface RestoreOptions extends EmbeddedOptions {
  readonly sourceDir: string;
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Runs on the recovered database before it is moved to its final place. If it throws, the restore is cancelled. */
  readonly onRestored: (connection: EmbeddedConnection) => Promise<void>;
}

export interface RestoreResult {
  readonly createdAt: string;
  readonly serverVersion: string;
  readonly files: number;
}

/** The replay of the log of a long backup takes longer than recovery after a crash. */
const recoveryTimeoutMs = 60 * 60_000;

export async function restoreEmbedded(options: RestoreOptions): Promise<RestoreResult> {
  const { sourceDir, log } = options;
  const manifest = await readManifest(sourceDir);
  await checkMajor(sourceDir, manifest);
  await checkSizes(sourceDir, manifest);
  const dataDir = prepareDataDir(options.dataDir);
  if (await clusterExists(dataDir)) throw occupiedError(dataDir);
  const staging = unfinishedPath(dataDir, 'restore');
  await mkdir(staging, { mode: 0o700 });
  try {
    // The owner of DATA_DIR also owns the restored database, even when root restores it.
    const { uid, gid } = await stat(dataDir);
    if (isRoot()) await lchown(staging, uid, gid);
    await copyAndCheck(sourceDir, clusterDirOf(staging), manifest, options.onProgress);
    log('backup copied and checked, recovering', { files: manifest.files.length });
    await recoverCluster(staging, options);
    if (!(await placeCluster(clusterDirOf(staging), dataDir))) throw occupiedError(dataDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  log('backup restored', { dataDir, createdAt: manifest.created_at });
  return {
    createdAt: manifest.created_at,
    serverVersion: manifest.server_version,
    files: manifest.files.length,
  };
}

async function checkMajor(sourceDir: string, manifest: Manifest): Promise<void> {
  const { major } = await findBinaries();
  const inside = (await readFile(path.join(sourceDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  const found = manifest.postgres_major === major && inside !== '' ? inside : String(manifest.postgres_major);
  if (found === String(major)) return;
  throw new EmbeddedError(
    'major_differs',
    `The backup in ${sourceDir} is of PostgreSQL ${found}; the embedded one is PostgreSQL ${major}. Restore it with ` +
      `the Sliproad release that brings PostgreSQL ${found}.`,
  );
}

const occupiedError = (dataDir: string): EmbeddedError =>
  new EmbeddedError(
    'cluster_exists',
    `${clusterDirOf(dataDir)} already contains a database, which a restore never overwrites. Stop the service and move ` +
      'that directory away, or restore into another DATA_DIR.',
  );

async function copyAndCheck(
  sourceDir: string,
  clusterDir: string,
  manifest: Manifest,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  await mkdir(clusterDir, { mode: 0o700 });
  const directories = manifest.directories.map((name) => path.join(clusterDir, name));
  for (const directory of directories) await mkdir(directory, { recursive: true, mode: 0o700 });
  let filesDone = 0;
  let bytesDone = 0;
  await forEachInParallel(manifest.files, async (file) => {
    const mark = await copyFile(path.join(sourceDir, file.path), path.join(clusterDir, file.path));
    if (mark.size !== file.size || mark.sha256 !== file.sha256) {
      throw damagedBackupError(sourceDir, file.path, 'does not have the content the manifest says');
    }
    filesDone += 1;
    bytesDone += mark.size;
    onProgress?.({ filesDone, filesTotal: manifest.files.length, bytesDone });
  });
  for (const directory of [...directories, clusterDir]) await syncDirectory(directory);
}

/** The first start replays the log from the backup. The following stop makes the result durable. */
async function recoverCluster(staging: string, { log, onRestored }: RestoreOptions): Promise<void> {
  const server = await openEmbedded({ dataDir: staging, log, startTimeoutMs: recoveryTimeoutMs });
  const [handedOver] = await Promise.allSettled([onRestored(server.connection)]);
  const outcome = await server.release();
  // A socket directory under /tmp (used when the path is too long) belongs only to this temporary directory.
  const socketDir = server.connection.host;
  if (!socketDir.startsWith(`${staging}/`)) await rm(socketDir, { recursive: true, force: true });
  if (handedOver.status === 'rejected') throw handedOver.reason;
  if (outcome === 'stopped') return;
  throw new EmbeddedError(
    'cluster_in_doubt',
    `Another process uses the database being restored in ${staging}, so it was not moved into place.`,
  );
}
