// Helpers for the tests in this folder: temporary directories, processes that open a database, and their cleanup. Even if a
// test fails, its servers are stopped and its files are removed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clusterDirOf } from '../../../src/adapters/embedded/files/directories.ts';
import { findPostmaster, whoseProcess } from '../../../src/adapters/embedded/files/postmaster.ts';
import type { EmbeddedConnection } from '../../../src/adapters/embedded/server/connection.ts';
import { type EmbeddedServer, openEmbedded } from '../../../src/adapters/embedded/server/open.ts';
import { copyCluster } from './made-once.ts';

export interface LogLine {
  readonly message: string;
  readonly detail: object | undefined;
}

export function memoryLog() {
  const lines: LogLine[] = [];
  return {
    lines,
    log: (message: string, detail?: object) => void lines.push({ message, detail }),
    has: (part: string) => lines.some(({ message }) => message.includes(part)),
  };
}

const ownOpens = new WeakMap<TestContext, Set<EmbeddedServer>>();

/**
 * Opens a DATA_DIR inside a scratch directory. The DATA_DIR is always closed at the end of the test, because its server would
 * otherwise restart.
 */
export async function open(t: TestContext, dataDir: string, log = memoryLog().log): Promise<EmbeddedServer> {
  const server = await openEmbedded({ dataDir, log });
  ownOpens.set(t, (ownOpens.get(t) ?? new Set()).add(server));
  return server;
}

/** Creates a directory that only this user can enter. At the end of the test it is removed with every database inside it. */
export function scratchDir(t: TestContext, mode = 0o700): string {
  const root = realpathSync(mkdtempSync('/tmp/sr-'));
  chmodSync(root, mode);
  t.after(async () => {
    for (const server of ownOpens.get(t) ?? []) await server.release().catch(() => {});
    for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (path.basename(entry) === 'postmaster.pid') await stopHard(path.dirname(path.join(root, entry)));
    }
    rmSync(root, { recursive: true, force: true });
  });
  return root;
}

/** Creates a DATA_DIR whose cluster already exists, because a copy of a cluster is much faster than initdb. */
export async function readyDataDir(directory: string, mode = 0o700): Promise<string> {
  const dataDir = path.join(directory, 'data');
  await copyCluster(dataDir, { mode });
  return dataDir;
}

async function stopHard(clusterDir: string): Promise<void> {
  const finding = findPostmaster(clusterDir);
  if (finding.state !== 'running') return;
  const { pid } = finding.postmaster;
  process.kill(pid, 'SIGQUIT');
  for (let tries = 0; whoseProcess(pid, clusterDir) === 'ours'; tries++) {
    if (tries === 250) process.kill(pid, 'SIGKILL');
    await sleep(20);
  }
}

export function postmasterPid(dataDir: string): number {
  const finding = findPostmaster(clusterDirOf(dataDir));
  if (finding.state !== 'running') throw new Error(`no server runs on ${dataDir}: ${finding.state}`);
  return finding.postmaster.pid;
}

export const isRunning = (dataDir: string): boolean =>
  findPostmaster(clusterDirOf(dataDir)).state === 'running';

export async function query<Row extends pg.QueryResultRow>(
  connection: EmbeddedConnection,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export interface OpenChild {
  readonly process: ChildProcess;
  readonly connection: EmbeddedConnection;
  release(): Promise<string>;
}

/** Opens the same DATA_DIR in another process. `prefix` can run it as another user. */
export async function openInChild(
  t: TestContext,
  dataDir: string,
  prefix: readonly string[] = [],
  node: string = process.execPath,
): Promise<OpenChild> {
  const script = fileURLToPath(new URL('open-child.ts', import.meta.url));
  const [file, ...args] = [...prefix, node, script, dataDir];
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const nextLine = async () => {
    const [chunk] = await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the child ended with ${code}`))),
    ]);
    return JSON.parse(String(chunk));
  };
  const connection = (await nextLine()) as EmbeddedConnection;
  return {
    process: child,
    connection,
    release: async () => {
      const answer = nextLine();
      child.stdin.end();
      return (await answer) as string;
    },
  };
}
