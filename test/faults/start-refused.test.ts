// Tests a start that cannot succeed. Before anything is set up, it exits with 1 and one sentence that says what to change.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { databaseUrl } from '../support/database.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import type { Refused } from '../support/faults/start-again.ts';
import { compiledDirOf, type Home, keepForCleaning, makeHome, postmasterOf } from '../support/home.ts';
import { inTime } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { launchService, type Settings } from '../support/process.ts';

const START_AGAIN = path.resolve(import.meta.dirname, '../support/faults/start-again.ts');

test('threat 90: a start that cannot succeed prints the reason and exits with 1', async (t) => {
  const home = await makeHome(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const cert = path.join(home.root, 'cert.pem');
  const otherKey = path.join(home.root, 'key.pem');
  writeFileSync(cert, makeCertificate().cert);
  writeFileSync(otherKey, makeCertificate().key);

  // The same code refuses all wrong single values, and src/config.test.ts tests the other values.
  const refusals: [Settings, RegExp][] = [
    [{ PORT: String(port) }, new RegExp(`Port ${port} is in use.* set PORT to`)],
    [{ DATABASE_URL: 'mysql://root:hunter2@db/x' }, /DATABASE_URL must be a URL that starts with postgres:/],
    [
      { ...SECRETS_KEY, DATABASE_URL: databaseUrl('no_such_database') },
      /at DATABASE_URL cannot be used: .*no_such_database/,
    ],
  ];
  const assertRefused = (settings: Settings, message: RegExp, { code, stdout, stderr }: Refused) => {
    assert.equal(code, 1, JSON.stringify(settings));
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, `one line, no stack: ${stderr}`);
    assert.doesNotMatch(stderr, /hunter2/);
    assert.equal(stdout, '');
    assert.ok(!existsSync(home.dataDir), 'nothing was set up');
  };
  for (const [settings, message] of refusals) {
    const started = launchService(home, settings);
    const { code, signal } = await started.ended;
    assert.equal(signal, null);
    assertRefused(settings, message, { code: code!, stdout: started.stdout(), stderr: started.stderr() });
  }
  const others: [Settings, RegExp][] = [
    [{ OTC_PORT: String(port) }, new RegExp(`Port ${port} is in use.* set OTC_PORT to`)],
    [{ OTC_PORT: String(home.port) }, /OTC_PORT must differ from PORT/],
    [{ HOST: '203.0.113.1' }, /Check HOST and PORT/],
    [{ TLS_CERT: '/nowhere/cert.pem' }, /TLS_KEY must be set/],
    [{ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: otherKey }, /TLS_CERT cannot be read: ENOENT/],
    [{ TLS_CERT: cert, TLS_KEY: cert }, /TLS_CERT and TLS_KEY cannot be used together/],
    [{ TLS_CERT: cert, TLS_KEY: otherKey }, /TLS_CERT and TLS_KEY cannot be used together: .*mismatch/],
  ];
  const answers = await startOneAfterAnother(
    home,
    others.map(([settings]) => settings),
  );
  assert.equal(answers.length, others.length);
  for (const [nth, [settings, message]] of others.entries()) assertRefused(settings, message, answers[nth]!);
});

/** All starts run in one process, which loads the service once. */
async function startOneAfterAnother(home: Home, all: readonly Settings[]): Promise<readonly Refused[]> {
  const child = spawn(process.execPath, [START_AGAIN], {
    cwd: home.root,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: compiledDirOf(home),
      DATA_DIR: home.dataDir,
      PORT: String(home.port),
      OTC_PORT: String(home.otcPort),
    },
  });
  keepForCleaning(home, child);
  child.stdin.end(JSON.stringify(all));
  const [said, troubles] = await inTime('the starts', Promise.all([text(child.stdout), text(child.stderr)]));
  assert.equal(troubles, '');
  // The output contains only the results, because a start that succeeds would have written its own lines there.
  return JSON.parse(said) as Refused[];
}

test('threat 90: a start that fails half-way stops the database that it started', async (t) => {
  const home = await makeUsedHome(t);
  // A directory takes the place of the credentials file. The start detects this only after the database runs.
  rmSync(path.join(home.dataDir, 'sandbox.json'));
  mkdirSync(path.join(home.dataDir, 'sandbox.json', 'in-the-way'), { recursive: true });
  const started = launchService(home);
  assert.deepEqual(await started.ended, { code: 1, signal: null });
  assert.match(started.stdout(), /started the database/);
  assert.match(started.stderr(), /EISDIR/);
  assert.equal(postmasterOf(home.dataDir), undefined);
});
