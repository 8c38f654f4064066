// Creates the database cluster in DATA_DIR/postgres on the first start and checks it on every later start. The cluster is
// created in a temporary directory and then renamed. So a crash, or two first starts at the same time, cannot leave an
// incomplete cluster.
import { lchown, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from '../files/binaries.ts';
import { clusterDirOf } from '../files/directories.ts';
import { codeOf, EmbeddedError, messageOf } from '../files/errors.ts';
import { isRoot, type OsUser } from '../files/os-user.ts';
import { placeCluster, removeLeftovers, unfinishedPath } from '../files/unfinished.ts';
import type { Launcher } from './launch.ts';
import { bootstrapRole, initialSettings } from './settings.ts';

export async function clusterExists(dataDir: string): Promise<boolean> {
  const entries = await readdir(clusterDirOf(dataDir)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new EmbeddedError(
      'data_dir_unusable',
      `${clusterDirOf(dataDir)} cannot be read: ${messageOf(error)}`,
      error,
    );
  });
  return entries.length > 0;
}

export async function prepareCluster(
  dataDir: string,
  binaries: Binaries,
  launcher: Launcher,
  log: (message: string, detail?: object) => void,
): Promise<void> {
  await removeLeftovers(dataDir);
  if (!(await clusterExists(dataDir))) await createCluster(dataDir, binaries, launcher, log);
  await checkMajor(clusterDirOf(dataDir), binaries);
  await checkOwner(clusterDirOf(dataDir), launcher.user);
}

async function createCluster(
  dataDir: string,
  binaries: Binaries,
  launcher: Launcher,
  log: (message: string, detail?: object) => void,
): Promise<void> {
  const unfinished = unfinishedPath(dataDir, 'new');
  log('making the database cluster', { dataDir, postgres: binaries.version });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (isRoot()) await lchown(unfinished, launcher.user.uid, launcher.user.gid);
    const settings = Object.entries(initialSettings).map(([name, value]) => `--set=${name}=${value}`);
    const args = [
      `--pgdata=${launcher.nameOf(unfinished)}`,
      `--username=${bootstrapRole}`,
      '--encoding=UTF8',
      '--locale=C',
      // Text is compared by byte order, but letters outside ASCII still have upper and lower case.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--auth-local=peer',
      '--auth-host=reject',
      ...settings,
    ];
    const { status, output } = await launcher.run(binaries.initdb, args, unfinished);
    if (status !== 0) {
      throw new EmbeddedError(
        'initdb_failed',
        `initdb could not create the database cluster in ${dataDir} (exit ${status}):\n${output.trim().slice(-2000)}`,
      );
    }
    await placeCluster(unfinished, dataDir);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function checkMajor(clusterDir: string, binaries: Binaries): Promise<void> {
  const text = await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    throw new EmbeddedError(
      'data_dir_unusable',
      `${clusterDir} is not empty and not a PostgreSQL cluster (${messageOf(error)}). Choose another DATA_DIR, or ` +
        'restore a backup into an empty one.',
      error,
    );
  });
  const found = text.trim();
  if (found === String(binaries.major)) return;
  throw new EmbeddedError(
    'major_differs',
    `The database in ${clusterDir} was created by PostgreSQL ${found}, but the embedded server is PostgreSQL ${binaries.major}. ` +
      `Run the Sliproad release that brings PostgreSQL ${found}, or move the data with pg_dump and pg_restore ` +
      `(pg_upgrade) to a PostgreSQL ${binaries.major} server and set DATABASE_URL. Nothing was changed.`,
  );
}

/** PostgreSQL must own its cluster. If root copied the cluster to its place, the owner is changed. */
async function checkOwner(clusterDir: string, user: OsUser): Promise<void> {
  const { uid } = await stat(clusterDir);
  if (uid === user.uid) return;
  if (isRoot() && uid === 0) return await chownTree(clusterDir, user);
  throw new EmbeddedError(
    'data_dir_unusable',
    `${clusterDir} belongs to user id ${uid}, but PostgreSQL would run as ${user.name} (${user.uid}). ` +
      'Run Sliproad as the owner, or give the directory to that user (chown -R).',
  );
}

async function chownTree(directory: string, user: OsUser): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(path.join(directory, entry), user.uid, user.gid);
  }
  // The top directory comes last. Until its owner is changed, the next start can detect that this step was interrupted.
  await lchown(directory, user.uid, user.gid);
}
