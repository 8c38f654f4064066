// Directories that are costly to make: the first test of a run that needs one makes it, the others copy it.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openEmbedded } from '../../../src/adapters/embedded/server/open.ts';
import { migrate } from '../../../src/adapters/postgres/connection/migrate.ts';
import { onCluster } from '../database.ts';

/** Where it is; `make` fills a directory that does not exist yet. */
export async function madeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const made = path.join(directoryOfRun(), name);
  if (existsSync(made)) return made;
  // The lock ends with its session: a test that is killed while it makes one holds no other test up.
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

/** With owners and permissions: as root, a cluster belongs to another user. */
export function copyWhole(from: string, to: string): void {
  execFileSync('cp', ['-Rp', from, to]);
}

/** Makes a DATA_DIR whose cluster was made before, by copying it. `migrated`: and whose tables are there. */
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
