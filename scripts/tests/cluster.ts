// Starts a PostgreSQL for test files. The cluster is in a temporary directory and has a migrated template database that test
// files clone. The environment variables of the test processes describe it.
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
  // Each lane of the tests has several services, and a slow machine fills their pools. Therefore the tests need more
  // connections than one service.
  max_connections: 400,
  // Databases are copied as files, and each copy makes two checkpoints. Therefore automatic checkpoints are disabled.
  checkpoint_timeout: "'1h'",
  max_wal_size: "'4GB'",
};

/** Stops the cluster when the work is done. `root` is the folder that contains the compile cache. */
export async function withTestCluster<Answer>(root: string, work: () => Promise<Answer>): Promise<Answer> {
  // The cluster is in memory if memory has enough space, because on a disk each commit would wait. Tests that crash a server
  // use a separate cluster on a disk.
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
      // The compile cache lets other processes and later runs read the code that one process has compiled.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/sliproad-compiled'),
      // A data directory that tests copy. The first test that needs it creates it (test/support/embedded/used-home.ts).
      SLIPROAD_TEST_HOME: homeDir,
    });
    return await work();
  } finally {
    await server.release();
    for (const dir of [dataDir, homeDir]) rmSync(dir, { recursive: true, force: true });
  }
}
