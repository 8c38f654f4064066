// Decides which files of a running cluster belong in a backup. Files that PostgreSQL rebuilds at start, or that are valid only
// while one server runs, are left out. The empty directories that PostgreSQL expects are kept.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, EmbeddedError } from './errors.ts';

export interface ClusterFiles {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

export const controlFile = 'global/pg_control';

// The content of these directories is valid only while one server runs. The log segments that the backup needs are copied at
// the end.
const keptEmpty = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_stat_tmp',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_subtrans',
]);

const leftOutAtTop = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'backup_label.old',
  'tablespace_map',
  'tablespace_map.old',
  'backup_manifest',
  'postgresql.auto.conf.tmp',
  'current_logfiles.tmp',
  '.s.PGSQL.5432.lock',
]);

const leftOutAnywhere = /^(?:pgsql_tmp.*|pg_internal\.init.*|.*\.conf\.[0-9a-f]{12}\.tmp)$/;

/**
 * Returns paths relative to the cluster. The control file is last, because it must be at least as new as the files that it
 * describes.
 */
export async function listClusterFiles(clusterDir: string): Promise<ClusterFiles> {
  const directories: string[] = [];
  const files: string[] = [];
  const pending = [''];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of await entriesOf(path.join(clusterDir, directory))) {
      const relative = path.posix.join(directory, entry.name);
      if (leftOutAnywhere.test(entry.name) || leftOutAtTop.has(relative)) continue;
      if (keptEmpty.has(relative)) {
        directories.push(relative);
      } else if (entry.isDirectory()) {
        directories.push(relative);
        pending.push(relative);
      } else if (entry.isSymbolicLink()) {
        throw new EmbeddedError(
          'backup_failed',
          `${path.join(clusterDir, relative)} is a link (a tablespace outside DATA_DIR?), and what it leads to would ` +
            'not be in the backup. Move that data back into the default tablespace first.',
        );
      } else if (entry.isFile() && relative !== controlFile) {
        files.push(relative);
      }
    }
  }
  return { directories: directories.sort(), files: [...files.sort(), controlFile] };
}

/** A database may be dropped while its directory is listed. */
async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
