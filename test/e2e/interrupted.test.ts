// Tests Ctrl-C while a command waits for the service. The command exits with its own exit code for this case and without an
// error.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';

const COMMAND = path.resolve(import.meta.dirname, '../../src/cli/main.ts');
const home = mkdtempSync(path.join(tmpdir(), 'sliproad-interrupted-'));
after(() => rmSync(home, { recursive: true }));

test('Ctrl-C before the service has responded gives exit code 130 and no error output', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const base_url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const sandbox = { base_url, business_id: 'biz_1', link_tag: 'sandbox', test_key: 'sk_test_1' };
  writeFileSync(path.join(home, 'sandbox.json'), JSON.stringify(sandbox));
  const child = spawn(process.execPath, [COMMAND, 'listen', '--forward-to', 'localhost:3000'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, DATA_DIR: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[connection], errors] = [await once(silent, 'connection'), text(child.stderr)];
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  connection.destroy();
  silent.close();
  assert.equal(code, 130);
  assert.equal((await errors).trim().split('\n').length, 1, await errors);
});
