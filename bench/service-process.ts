// Starts the measured service as a separate process with an embedded database in a temporary directory.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clusterDirOf } from '../src/adapters/embedded/files/directories.ts';

/**
 * The limits that the benchmark raises, because it would otherwise measure the limits. All other settings have their defaults.
 */
export const LIFTED = { RATE_LIMIT_PER_SECOND: '10000000', RATE_LIMIT_BURST: '10000000' };

export interface BenchService {
  readonly baseUrl: string;
  readonly key: string;
  readonly businessId: string;
  readonly connection: { host: string; port: number; user: string; database: string };
  cpuMicros(): Promise<number>;
  /** The process id of the parent process of all other database processes. */
  postmasterPid(): number;
  stop(): Promise<void>;
}

export interface BenchServiceOptions {
  /** The directory of another version, whose service is started. Without it, the service of this version is started. */
  readonly checkout?: string | undefined;
  readonly lifted?: Readonly<Record<string, string>>;
}

export async function startBenchService({
  checkout,
  lifted,
}: BenchServiceOptions = {}): Promise<BenchService> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sliproad-bench-'));
  const [port, otcPort] = [await freePort(), await freePort()];
  const log = openSync(path.join(dataDir, 'service.log'), 'a');
  const root = path.resolve(checkout ?? path.join(import.meta.dirname, '..'));
  const child = fork(path.join(root, 'bench', 'server.ts'), {
    cwd: root,
    env: {
      ...process.env,
      ...LIFTED,
      ...lifted,
      DATA_DIR: dataDir,
      PORT: String(port),
      OTC_PORT: String(otcPort),
      DATABASE_URL: '',
    },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  await ready(child);
  // If root starts the service, the socket is in the directory of the database cluster.
  const socketDir = [path.join(dataDir, 'postgres-socket'), clusterDirOf(dataDir)].find(existsSync)!;
  const sandbox = JSON.parse(readFileSync(path.join(dataDir, 'sandbox.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    baseUrl: sandbox.base_url!,
    key: sandbox.test_key!,
    businessId: sandbox.business_id!,
    connection: {
      host: socketDir,
      port: 5432,
      user: 'sliproad',
      database: 'sliproad',
    },
    cpuMicros: async () => {
      child.send('cpu');
      const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
      return cpu.user + cpu.system;
    },
    postmasterPid: () =>
      Number(readFileSync(path.join(clusterDirOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the service under measurement ended with ${code}`);
    }),
  ]);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
