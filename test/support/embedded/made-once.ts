// Creates directories that take long to make. The first test of a run that needs one creates it, and the other tests copy it.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openEmbedded } from '../../../src/adapters/embedded/server/open.ts';
import { migrate } from '../../../src/adapters/postgres/connection/migrate.ts';
import { onCluster } from '../database.ts';

/** Returns the path of the directory. `make` fills a directory that does not exist yet. */
export async function madeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const made = path.join(directoryOfRun(), name);
  if (existsSync(made)) return made;
  // The lock ends with its session. So if a test is killed during the creation, it does not block other tests.
  await onCluster(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if (existsSync(made)) return;
    const unfinished = `${made}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    await make(unfinished);
    renameSync(unfinished, made);
  });
  return made;
}

/** The copy keeps owners and permissions, because a cluster belongs to another user when tests run as root. */
export function copyWhole(from: string, to: string): void {
  execFileSync('cp', ['-Rp', from, to]);
}

/** Creates a DATA_DIR as a copy of an existing cluster. `migrated`: the cluster has its tables. */
export async function copyCluster(dataDir: string, { migrated = false, mode = 0o700 } = {}): Promise<void> {
  const made = await madeOnce(migrated ? 'cluster-migrated' : 'cluster', async (directory) => {
    const server = await openEmbedded({ dataDir: directory, log: () => undefined });
    try {
      if (migrated) await migrate(server.connection);
    } finally {
      await server.release();
    }
  });
  mkdirSync(dataDir);
  chmodSync(dataDir, mode);
  copyWhole(path.join(made, 'postgres'), dataDir);
}

function directoryOfRun(): string {
  const dir = process.env.SLIPROAD_TEST_HOME;
  if (dir === undefined)
    throw new Error('Run tests through npm test: it has a place for the directories they copy.');
  return dir;
}
