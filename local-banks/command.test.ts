import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { afterFile } from '../test/support/sharing/file-group.ts';
import { listenLocally } from './http/server.ts';
import { startLocalBanks } from './start.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');
/**
 * Four consecutive ports that another test file is unlikely to use. They are below the ports that the system gives to
 * connections.
 */
const BASE_PORT = 20_000 + (process.pid % 2_000) * 4;

async function run(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  afterFile(() => child.kill('SIGKILL'));
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  const ended = once(child, 'close').then(([code]) => code as number);
  const says = async (pattern: RegExp) => {
    const failed = ended.then((code) => assert.fail(`it ended with ${code}: ${printed.join('')}`));
    while (!pattern.test(printed.join(''))) await Promise.race([once(child.stdout, 'data'), failed]);
    failed.catch(() => undefined);
  };
  return { child, says, ended, text: () => printed.join('') };
}

describe('npm run banks', () => {
  it('starts on the given ports, and stops on a signal', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-banks-'));
    const { child, says, ended, text } = await run('--dir', dir, '--base-port', String(BASE_PORT));
    await says(/They run until Ctrl-C/);
    const control = readFileSync(path.join(dir, 'control-url'), 'utf8');
    assert.equal(control, `http://127.0.0.1:${BASE_PORT}\n`);
    assert.equal(readFileSync(path.join(dir, 'environment'), 'utf8'), `BANKS_FILE=${dir}/banks.json\n`);
    await assert.rejects(startLocalBanks({ dir }), /Local banks run already/);
    child.kill('SIGTERM');
    assert.equal(await ended, 0, text());
    assert.match(text(), /The banks are stopped/);
    assert.ok(!existsSync(path.join(dir, 'banks.json')));
    rmSync(dir, { recursive: true });
  });

  it('reports which port is in use, and which argument is wrong', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-banks-'));
    const taken = await listenLocally(async () => undefined, 0);
    const port = Number(new URL(taken.url).port);
    const busy = await run('--dir', dir, '--base-port', String(port));
    assert.equal(await busy.ended, 1);
    assert.match(busy.text(), new RegExp(`Port ${port} is in use`));
    await taken.close();
    const wrong = await run('--base-port', 'high');
    assert.equal(await wrong.ended, 1);
    assert.match(wrong.text(), /--base-port must be a number from 1 to 65532/);
    rmSync(dir, { recursive: true });
  });
});
