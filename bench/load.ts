// Starts the load generator: wrk if it is installed, otherwise autocannon in a separate process. The generator connects only to
// this machine. It keeps a fixed number of connections open for a fixed time.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

export interface Load {
  readonly url: string;
  readonly key: string;
  /** A JSON object without its closing brace. The load generator adds a unique reference to each request. */
  readonly body?: string;
  readonly stem: string;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

export const CONNECTIONS = 64;

export const GENERATOR: 'wrk' | 'autocannon' =
  spawnSync('wrk', ['--version']).error === undefined ? 'wrk' : 'autocannon';

export async function runLoad(load: Load): Promise<LoadResult> {
  const env = {
    ...process.env,
    BENCH_METHOD: load.body === undefined ? 'GET' : 'POST',
    BENCH_BODY: load.body ?? '',
    BENCH_STEM: load.stem,
    BENCH_KEY: load.key,
    BENCH_URL: load.url,
    BENCH_SECONDS: String(load.seconds),
    BENCH_CONNECTIONS: String(CONNECTIONS),
  };
  const output =
    GENERATOR === 'wrk'
      ? await outputOf('wrk', wrkArguments(load), env)
      : await outputOf(process.execPath, [path.join(import.meta.dirname, 'autocannon.ts')], env);
  const line = /^RESULT (.*)$/m.exec(output);
  if (line === null) throw new Error(`the load generator said nothing usable:\n${output}`);
  const result = JSON.parse(line[1]!) as LoadResult;
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.requests} requests to ${load.url} failed`);
  return result;
}

function wrkArguments(load: Load): string[] {
  const script = path.join(import.meta.dirname, 'wrk.lua');
  return ['-t1', `-c${CONNECTIONS}`, `-d${load.seconds}s`, '--timeout', '10s', '-s', script, load.url];
}

function outputOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}: ${output}`)),
    );
  });
}
