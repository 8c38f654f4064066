// Runs the service as a real process, as `npm start` does, with its own directory and ports. Tests can kill the process. Even
// if a test fails, its processes are ended and its files are removed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledDirOf, type Home, keepForCleaning, makeHome } from './home.ts';
import { databaseTimeoutMs, until } from './patience.ts';
import type { TestBusiness } from './service.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');

export interface SandboxPerson {
  readonly email: string;
  readonly password: string;
  readonly totp_secret: string;
}

export interface Sandbox {
  readonly base_url: string;
  readonly otc_base_url: string;
  readonly business_id: string;
  readonly link_tag: string;
  readonly test_key: string;
  /** Null after sandbox.json was lost. */
  readonly live_key: string | null;
  readonly operator: SandboxPerson;
  readonly approver: SandboxPerson;
  readonly member: SandboxPerson;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface ServiceProcess extends RunningProcess {
  readonly home: Home;
  readonly baseUrl: string;
  readonly otcBaseUrl: string;
  /** Whether sandbox.json existed when /ready first returned 200. */
  readonly hadSandboxWhenReady: boolean;
  sandbox(): Sandbox;
  business(): TestBusiness;
  stop(): Promise<Ended>;
}

export type Settings = Readonly<Record<string, string>>;

/** These tests check correctness under load, so the rate limits of a key must not apply. */
const GENEROUS: Settings = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' };

export async function startProcess(
  t: TestContext,
  options: { readonly home?: Home; readonly settings?: Settings } = {},
): Promise<ServiceProcess> {
  const home = options.home ?? (await makeHome(t));
  const running = launchService(home, options.settings);
  const scheme = options.settings?.TLS_CERT === undefined ? 'http' : 'https';
  const port = options.settings?.PORT ?? home.port;
  const baseUrl = `${scheme}://127.0.0.1:${port}`;
  const sandboxFile = path.join(home.dataDir, 'sandbox.json');
  // fetch does not trust the test's own certificate. So with https, the service counts as ready when it has printed its
  // address.
  const isReady = scheme === 'http' ? () => answersReady(baseUrl) : () => running.stdout().includes(baseUrl);
  let hadSandboxWhenReady = false;
  await until(`the service is ready (${home.dataDir})`, async () => {
    await refuseEnded(running);
    if (!(await isReady())) return false;
    hadSandboxWhenReady = existsSync(sandboxFile);
    return true;
  });
  const sandbox = () => JSON.parse(readFileSync(sandboxFile, 'utf8')) as Sandbox;
  return {
    ...running,
    home,
    baseUrl,
    otcBaseUrl: `${scheme}://127.0.0.1:${options.settings?.OTC_PORT ?? home.otcPort}`,
    hadSandboxWhenReady,
    sandbox,
    business: () => {
      const { business_id, link_tag, test_key, live_key } = sandbox();
      return { businessId: business_id, linkTag: link_tag, testKey: test_key, liveKey: live_key! };
    },
    stop: () => {
      running.kill('SIGTERM');
      return running.ended;
    },
  };
}

export function launchService(home: Home, settings: Settings = {}): RunningProcess {
  return launch(home, process.execPath, [path.join(REPOSITORY, 'build/main.js')], settings);
}

/** Starts the service as the README describes, without waiting. */
export function launchThroughNpm(home: Home): RunningProcess {
  return launch(home, 'npm', ['--prefix', REPOSITORY, 'start'], {});
}

export async function runCommand(
  home: Home,
  args: readonly string[],
  settings: Settings = {},
  input = '',
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const running = launch(home, path.join(REPOSITORY, 'bin/sliproad'), args, settings, input);
  const { code } = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

function launch(
  home: Home,
  file: string,
  args: readonly string[],
  settings: Settings,
  input = '',
): RunningProcess {
  const child = spawn(file, args, {
    cwd: home.root, // no .env there
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: compiledDirOf(home),
      DATA_DIR: home.dataDir,
      CLI_SESSION_FILE: path.join(home.root, 'sessions.json'),
      PORT: String(home.port),
      OTC_PORT: String(home.otcPort),
      ...GENEROUS,
      DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()),
      ...settings,
    },
  });
  keepForCleaning(home, child);
  child.stdin.on('error', () => undefined).end(input); // the process may end without reading its input
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  return {
    pid: child.pid!,
    ended: once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended),
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    kill: (signal) => void child.kill(signal),
  };
}

async function refuseEnded(running: RunningProcess): Promise<void> {
  const ended = await Promise.race([running.ended, sleep(0)]);
  if (ended === undefined) return;
  throw new Error(
    `the service ended with ${ended.code ?? ended.signal}: ${running.stderr()}${running.stdout()}`,
  );
}

export async function answersReady(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/ready`, { headers: { connection: 'close' } }).then(
    (answer) => answer.status === 200,
    () => false,
  );
}
