// Copies the files of a running cluster between the start and the stop of a backup. Then it copies the write-ahead log that
// makes them consistent. Every file is synced to disk before the manifest lists it.
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type ClusterFiles, controlFile, listClusterFiles } from '../files/cluster-files.ts';
import {
  copyFile,
  type FileMark,
  forEachInParallel,
  readStableFile,
  writeNewFile,
} from '../files/copy-file.ts';
import { codeOf } from '../files/errors.ts';
import { syncDirectory } from '../files/unfinished.ts';
import { composeManifest, type ManifestFile, manifestName } from './manifest.ts';
import type { BackupEnd, BackupSession } from './session.ts';

export interface CopyProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
}

export async function copyRunningCluster(
  partial: string,
  clusterDir: string,
  session: BackupSession,
  onProgress: ((progress: CopyProgress) => void) | undefined,
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
  await forEachInParallel(
    listed.files.filter((name) => name !== controlFile),
    async (name) => {
      const mark = await copyUnlessGone(path.join(clusterDir, name), path.join(partial, name));
      if (mark !== undefined) add(name, mark);
    },
  );
  // The control file is copied last, so that it is at least as new as the files that it describes.
  add(
    controlFile,
    await writeNewFile(
      path.join(partial, controlFile),
      await readStableFile(path.join(clusterDir, controlFile)),
    ),
  );
  const end = await session.stop();
  await addLog(partial, clusterDir, end, add);
  const manifest = composeManifest(
    {
      postgres_major: Number.parseInt(session.serverVersion, 10),
      server_version: session.serverVersion,
      created_at: session.startedAt.toISOString(),
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
  // A missing segment is an error, because without it a restore cannot reach a consistent state.
  await forEachInParallel([...end.walSegments, ...histories], async (segment) => {
    const name = `pg_wal/${segment}`;
    add(name, await copyFile(path.join(clusterDir, name), path.join(partial, name)));
  });
  add('backup_label', await writeNewFile(path.join(partial, 'backup_label'), end.backupLabel));
  if (end.tablespaceMap === '') return;
  add('tablespace_map', await writeNewFile(path.join(partial, 'tablespace_map'), end.tablespaceMap));
}

/** Tables may be dropped or truncated during the copy. A restore repeats this from the log. */
async function copyUnlessGone(source: string, target: string): Promise<FileMark | undefined> {
  try {
    return await copyFile(source, target);
  } catch (error) {
    // The code does not check whether the file exists now, because a checkpoint may have created its temporary file again.
    if (codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).path === source) return undefined;
    throw error;
  }
}

async function syncTree(root: string, { directories }: ClusterFiles): Promise<void> {
  for (const directory of directories) await syncDirectory(path.join(root, directory));
}
