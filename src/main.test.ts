// Tests the arguments `--banks local` and `--networks local` of `npm start`. If the local banks or networks are not running,
// the message says how to start them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const main = path.resolve('src/main.ts');
const cwd = mkdtempSync(path.join(tmpdir(), 'main-arguments-'));
after(() => rmSync(cwd, { recursive: true }));

function start(...args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { cwd, encoding: 'utf8' });
  return { status, stderr };
}

test('the service does not start if local banks or networks are not running or an argument is unknown, and the error says what to do', () => {
  const banks = start('--banks', 'local');
  assert.equal(banks.status, 1);
  assert.match(
    banks.stderr,
    /The local banks are not running\. Start them in another terminal: npm run banks/,
  );
  assert.match(start('--networks', 'local').stderr, /The local networks are not running/);
  assert.match(
    start('--bank', 'local').stderr,
    /Usage: npm start \[-- --networks local\|FILE\] \[--banks local\|FILE\]/,
  );
});
