// A PostgreSQL for test files: a cluster in a temporary directory with a migrated template database that files clone. The
// environment of the test processes describes it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../src/adapters/embedded/server/open.ts';
import { bootstrapRole } from '../../src/adapters/embedded/server/settings.ts';
import { migrate } from '../../src/adapters/postgres/connection/migrate.ts';
import { TEMPLATE } from '../../test/support/database.ts';
import { hasRoomForDatabase, measureSlowness } from './machine.ts';

const CLUSTER = {
  // There are several services in each lane, and a slow machine fills their pools, so more connections are needed than for one
  // service.
  max_connections: 400,
  // Databases are copied as files, and each copy makes two checkpoints, so automatic checkpoints are disabled.
  checkpoint_timeout: "'1h'",
  max_wal_size: "'4GB'",
};

/** Stops the cluster when the work is done. `root`: the folder that contains the compile cache. */
export async function withTestCluster<Answer>(root: string, work: () => Promise<Answer>): Promise<Answer> {
  // In memory if there is enough space, because on a disk each commit would wait. Tests that crash a server use a separate one on
  // a disk.
  const dataDir = mkdtempSync(
    path.join(hasRoomForDatabase('/dev/shm') ? '/dev/shm' : tmpdir(), 'sliproad-test-'),
  );
  const homeDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-home-'));
  let server = await openEmbedded({ dataDir, log: () => undefined });
  try {
    const admin = new pg.Client({ ...server.connection, user: bootstrapRole, database: 'postgres' });
    await admin.connect();
    await admin.query(`create database ${TEMPLATE} owner ${server.connection.user}`);
    for (const [name, value] of Object.entries(CLUSTER))
      await admin.query(`alter system set ${name} = ${value}`);
    await admin.end();
    await server.release();
    server = await openEmbedded({ dataDir, log: () => undefined });
    await migrate({ ...server.connection, database: TEMPLATE });
    const { host, port, user } = server.connection;
    Object.assign(process.env, {
      SLIPROAD_TEST_CLUSTER: JSON.stringify({ host, port, user }),
      SLIPROAD_TEST_SLOWNESS: String(measureSlowness()),
      // The compile cache: other processes and later runs read the code that one process has compiled.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/sliproad-compiled'),
      // A data directory that tests copy: the first test that needs one creates it (test/support/embedded/used-home.ts).
      SLIPROAD_TEST_HOME: homeDir,
    });
    return await work();
  } finally {
    await server.release();
    for (const dir of [dataDir, homeDir]) rmSync(dir, { recursive: true, force: true });
  }
}
