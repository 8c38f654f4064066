// The home of a process under test: a temporary directory, two ports, and the database server inside the directory. A home is
// emptied at the end of its test, at the latest when the test's own process ends.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterDirOf } from '../../src/adapters/embedded/files/directories.ts';
import { findPostmaster, type Postmaster } from '../../src/adapters/embedded/files/postmaster.ts';
import {
  type EmbeddedConnection,
  makeEmbeddedConnection,
} from '../../src/adapters/embedded/server/connection.ts';

export interface Home {
  readonly root: string;
  readonly dataDir: string;
  readonly port: number;
  readonly otcPort: number;
}

const children = new Map<string, Set<ChildProcess>>();

/** Makes a home that is emptied after the test: its processes are killed, and its files are removed. */
export async function makeHome(t: TestContext): Promise<Home> {
  const root = realpathSync(mkdtempSync('/tmp/srf-'));
  const home = { root, dataDir: path.join(root, 'data'), port: await freePort(), otcPort: await freePort() };
  children.set(root, new Set());
  t.after(() => emptyHome(root));
  return home;
}

export async function otherPorts(home: Home): Promise<Home> {
  return { ...home, port: await freePort(), otcPort: await freePort() };
}

/** Node's compile cache. A process that ends normally writes it, and later processes start in half the time. */
export function compiledDirOf({ root }: Home): string {
  return process.env.NODE_COMPILE_CACHE ?? path.join(root, 'compiled');
}

export function keepForCleaning(home: Home, child: ChildProcess): void {
  const own = children.get(home.root);
  own?.add(child);
  child.once('close', () => own?.delete(child));
}

async function emptyHome(root: string): Promise<void> {
  const own = [...(children.get(root) ?? [])];
  const closing = own.map((child) => once(child, 'close'));
  for (const child of own) child.kill('SIGKILL');
  await Promise.all(closing);
  while (killServersIn(root)) await sleep(20);
  removeHome(root);
}

function removeHome(root: string): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  children.delete(root);
}

// When a test reaches its time limit, its process ends without running the hooks of its homes.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  for (const [root, own] of children) {
    for (const child of own) child.kill('SIGKILL');
    while (killServersIn(root));
    removeHome(root);
  }
});

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processTable(): ProcessRow[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command: command! }));
}

/** The function searches the process table, because a server that is starting has no pid file yet. */
function killServersIn(root: string): boolean {
  const servers = processTable().filter(({ command }) => command.includes(` -D ${root}/`));
  for (const { pid } of servers) killWithChildren(pid);
  return servers.length > 0;
}

function killWithChildren(pid: number, others: readonly number[] = []): void {
  signalAll([pid], 'SIGSTOP'); // stopped, so that it forks no process while the list is made
  signalAll([...others, ...childrenOf(pid), pid], 'SIGKILL');
}

export function postmasterOf(dataDir: string): Postmaster | undefined {
  const finding = findPostmaster(clusterDirOf(dataDir));
  return finding.state === 'running' ? finding.postmaster : undefined;
}

export function connectionOf(dataDir: string): EmbeddedConnection {
  const postmaster = postmasterOf(dataDir);
  if (postmaster === undefined) throw new Error(`no server runs on ${dataDir}`);
  return makeEmbeddedConnection(postmaster.socketDir, postmaster.port);
}

/** Returns every process of a server except the main one. Each is the leader of its own process group. */
export function childrenOf(pid: number): number[] {
  return processTable()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Simulates a power cut: kills at once the server of a DATA_DIR with all its processes, and the other given processes. */
export function killServer(dataDir: string, others: readonly number[] = []): void {
  const server = postmasterOf(dataDir);
  if (server === undefined) signalAll(others, 'SIGKILL');
  else killWithChildren(server.pid, others);
}

/**
 * This port is below the ports that systems assign automatically. On such a port, a client that calls a dead service could
 * connect to itself.
 */
const FIRST_PORT = 18_000;
/**
 * Test files that run at the same time use different ranges of ports, because another file may take a port before its service
 * starts.
 */
const RANGES = 4;
const PORTS_IN_RANGE = 3_500;
const range = (Number(process.env.NODE_TEST_WORKER_ID ?? 1) - 1) % RANGES;
const handedOut = new Set<number>();

/**
 * A service uses its port long after the port was assigned. In the meantime, no other process of the same run may get the port.
 */
function reserve(port: number): boolean {
  const shared = process.env.SLIPROAD_TEST_HOME;
  if (shared === undefined) return true;
  const dir = path.join(shared, 'ports');
  mkdirSync(dir, { recursive: true });
  try {
    closeSync(openSync(path.join(dir, String(port)), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** The function never returns a port twice in one process, even if no process listens on it now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + range * PORTS_IN_RANGE + Math.floor(Math.random() * PORTS_IN_RANGE);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (!reserve(port)) continue;
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
