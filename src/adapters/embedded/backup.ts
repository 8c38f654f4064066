// Copies the embedded database to a directory while it is in use. The rule: the copy is made beside its place and
// renamed into it when it is whole, with the manifest written last.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { BackupEnd, BackupSession } from './backup-session.ts';
import { beginBackup } from './backup-session.ts';
import { clusterExists } from './cluster.ts';
import type { ClusterFiles } from './cluster-files.ts';
import { controlFile, listClusterFiles } from './cluster-files.ts';
import type { FileMark } from './copy-file.ts';
import { copyFile, inParallel, readSettled, writeNewFile } from './copy-file.ts';
import { clusterDirOf } from './directories.ts';
import { codeOf, EmbeddedError, messageOf } from './errors.ts';
import type { ManifestFile } from './manifest.ts';
import { composeManifest, manifestName } from './manifest.ts';
import type { EmbeddedOptions } from './open.ts';
import { openEmbedded } from './open.ts';
import { syncDirectory } from './unfinished.ts';

export interface CopyProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
}

export interface BackupOptions extends EmbeddedOptions {
  /** Absent, or an empty directory. */
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
    const files = await fill(partial, clusterDirOf(dataDir), session, options.onProgress).finally(() =>
      session.close().catch(() => {}),
    );
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
  await mkdir(path.dirname(absolute), { recursive: true, mode: 0o700 });
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
  if (`${targetDir}/`.startsWith(`${clusterDir}/`)) {
    throw new EmbeddedError(
      'target_not_empty',
      `${targetDir} lies inside the database. Name a directory elsewhere.`,
    );
  }
  return targetDir;
}

async function fill(
  partial: string,
  clusterDir: string,
  session: BackupSession,
  onProgress: BackupOptions['onProgress'],
): Promise<ManifestFile[]> {
  const listed = await listClusterFiles(clusterDir);
  for (const directory of listed.directories) await mkdir(path.join(partial, directory), { mode: 0o700 });
  const files: ManifestFile[] = [];
  let bytesDone = 0;
  const add = (name: string, mark: FileMark) => {
    files.push({ path: name, ...mark });
    bytesDone += mark.size;
    onProgress?.({
      filesDone: files.length,
      filesTotal: Math.max(listed.files.length, files.length),
      bytesDone,
    });
  };
  await inParallel(
    listed.files.filter((name) => name !== controlFile),
    async (name) => {
      const mark = await copyUnlessGone(path.join(clusterDir, name), path.join(partial, name));
      if (mark !== undefined) add(name, mark);
    },
  );
  // Last, so that it is not older than what it describes.
  add(
    controlFile,
    await writeNewFile(
      path.join(partial, controlFile),
      await readSettled(path.join(clusterDir, controlFile)),
    ),
  );
  const end = await session.stop();
  await addLog(partial, clusterDir, end, add);
  const manifest = composeManifest(
    {
      postgresMajor: Number.parseInt(session.serverVersion, 10),
      serverVersion: session.serverVersion,
      createdAt: session.startedAt.toISOString(),
      directories: listed.directories,
    },
    files,
  );
  await syncTree(partial, listed);
  await writeNewFile(path.join(partial, manifestName), manifest);
  await syncDirectory(partial);
  return files;
}

async function addLog(
  partial: string,
  clusterDir: string,
  end: BackupEnd,
  add: (name: string, mark: FileMark) => void,
): Promise<void> {
  const histories = (await readdir(path.join(clusterDir, 'pg_wal'))).filter((name) =>
    name.endsWith('.history'),
  );
  // A missing segment is not tolerated: without it the backup cannot be brought to a consistent state.
  await inParallel([...end.walSegments, ...histories], async (segment) => {
    const name = `pg_wal/${segment}`;
    add(name, await copyFile(path.join(clusterDir, name), path.join(partial, name)));
  });
  add('backup_label', await writeNewFile(path.join(partial, 'backup_label'), end.backupLabel));
  if (end.tablespaceMap === '') return;
  add('tablespace_map', await writeNewFile(path.join(partial, 'tablespace_map'), end.tablespaceMap));
}

/** Tables are dropped and truncated while we copy; the log replays that on the restored copy. */
async function copyUnlessGone(source: string, target: string): Promise<FileMark | undefined> {
  try {
    return await copyFile(source, target);
  } catch (error) {
    // Not asked again whether it is gone: a checkpoint's temporary file may be back by then.
    if (codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).path === source) return undefined;
    throw error;
  }
}

async function syncTree(root: string, { directories }: ClusterFiles): Promise<void> {
  for (const directory of directories) await syncDirectory(path.join(root, directory));
}
