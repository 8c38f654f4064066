// Tests the package without a clone. The files of `npm pack` are complete, and an installed `sliproad` runs a service, a buy
// and its payment to the end.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../support/home.ts';
import { limitMs, until } from '../support/patience.ts';
import { answersReady } from '../support/process.ts';

// The tarball of `npm pack`, as npm installs it. It is unpacked under node_modules, together with only the packages that its
// package.json depends on. These packages are links to those of the repository, because a real install needs the registry and
// takes minutes.

const run = promisify(execFile);
const REPOSITORY = path.resolve(import.meta.dirname, '../..');

async function installPackage(directory: string): Promise<string> {
  // The test itself runs inside npm, whose settings must not reach this npm.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const packing = ['pack', '--json', '--pack-destination', directory];
  const { stdout } = await run('npm', packing, { cwd: REPOSITORY, env });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  const modules = path.join(directory, 'node_modules');
  const home = path.join(modules, 'sliproad');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  mkdirSync(home);
  await run('tar', ['-xzf', path.join(directory, filename), '-C', home, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(home, 'package.json'), 'utf8'),
  ) as Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    // A link to an optional package for another platform has no target, as if the package were not installed.
    symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(modules, name));
  }
  const command = path.join(modules, '.bin', 'sliproad');
  symlinkSync('../sliproad/bin/sliproad', command);
  return command;
}

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-packed-'));
const services: ChildProcess[] = [];
after(async () => {
  for (const child of services) {
    if (child.exitCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(directory, { recursive: true });
});

const command = await installPackage(directory);
const [port, otcPort] = [await freePort(), await freePort()];
const env = {
  ...{ PATH: process.env.PATH, HOME: directory, DATA_DIR: path.join(directory, 'data') },
  ...{ PORT: String(port), OTC_PORT: String(otcPort), SANDBOX_PACE_MS: '50' },
};

function launch(args: readonly string[]): ChildProcess & { text(): string } {
  const child = spawn(command, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  return Object.assign(child, { text: () => text });
}

async function sliproad(...args: string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = launch(args);
  const [code] = await once(child, 'close');
  return { code, text: child.text() };
}

test('--version, --help and completion work, and show the installed name of the command', async () => {
  assert.match((await sliproad('--version')).text, /^\d+\.\d+\.\d+\n$/);
  const help = await sliproad('buy', '--help');
  assert.deepEqual([help.code, help.text.split('\n')[0]!.slice(0, 26)], [0, 'Usage: sliproad buy AMOUNT']);
  const completion = await sliproad('completion', 'bash');
  assert.equal(completion.code, 0);
  assert.match(completion.text, /complete -F _sliproad sliproad/);
});

test('serve, buy, pay and status --watch lead from an empty directory to a completed buy', async () => {
  const service = launch(['serve']);
  services.push(service);
  await until('the service is ready', () => {
    assert.equal(service.exitCode, null, service.text());
    return answersReady(`http://127.0.0.1:${port}`);
  });
  for (const page of ['/app/sign-in', '/app/static/app.css', '/docs']) {
    const answer = await fetch(`http://127.0.0.1:${port}${page}`, { headers: { connection: 'close' } });
    await answer.text();
    assert.equal(answer.status, 200, page);
  }
  const bought = await sliproad('buy', '15000');
  assert.equal(bought.code, 0, bought.text);
  assert.match(bought.text, /₦15,000\.00/);
  const id = /txn_\w+/.exec(bought.text)![0];
  const paid = await sliproad('pay', id);
  assert.equal(paid.code, 0, paid.text);
  const watched = await sliproad(
    'status',
    id,
    '--watch',
    '--timeout',
    `${Math.ceil(limitMs('condition') / 1000)}s`,
  );
  assert.equal(watched.code, 0, watched.text);
  assert.match(watched.text, /transaction\.accepted[\s\S]*transaction\.paid[\s\S]*transaction\.completed/);
  const migrated = await sliproad('migrate');
  assert.match(migrated.text, /Nothing to do/);
  service.kill('SIGTERM');
  const [code] = await once(service, 'close');
  assert.equal(code, 0, service.text());
});

test('packing leaves no files in the clone', () => {
  assert.ok(!existsSync(path.resolve(import.meta.dirname, '../../dist')));
});
