// Runs every test on a real PostgreSQL: starts a cluster in a temporary directory, migrates a template that test files
// clone, runs the files, stops the cluster. `npm test -- PATTERN` runs the files whose path contains the pattern.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../src/adapters/embedded/server/open.ts';
import { bootstrapRole } from '../src/adapters/embedded/server/settings.ts';
import { migrate } from '../src/adapters/postgres/connection/migrate.ts';
import { TEMPLATE } from '../test/support/database.ts';

const FILE_TIMEOUT_MS = 8 * 60_000;
const root = path.dirname(import.meta.dirname);
const patterns = process.argv.slice(2);
const files = globSync(
  [
    'src/**/*.test.ts',
    'test/**/*.test.ts',
    'scripts/**/*.test.ts',
    'bench/**/*.test.ts',
    'local-networks/**/*.test.ts',
  ],
  {
    cwd: root,
  },
)
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  .sort();
if (files.length === 0) {
  console.error(`No test file has "${patterns.join('" or "')}" in its path.`);
  process.exit(1);
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'sliproad-test-'));
const server = await openEmbedded({ dataDir, log: () => undefined });
let status = 1;
try {
  const admin = new pg.Client({ ...server.connection, user: bootstrapRole, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE} owner ${server.connection.user}`);
  await admin.end();
  await migrate({ ...server.connection, database: TEMPLATE });
  const { host, port, user } = server.connection;
  status = await runTests({ SLIPROAD_TEST_CLUSTER: JSON.stringify({ host, port, user }) });
} finally {
  await server.release();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(status);

function runTests(extra: Record<string, string>): Promise<number> {
  const args = [
    '--test',
    '--test-concurrency=2',
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    '--enable-source-maps',
  ];
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...extra },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
