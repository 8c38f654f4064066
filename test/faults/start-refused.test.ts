// Starts that cannot succeed end with 1 and one sentence that names what to change, before anything is set up.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { databaseUrl } from '../support/database.ts';
import { makeHome, postmasterOf } from '../support/home.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { launchService, type Settings } from '../support/process.ts';

test('threat 90: a start that cannot succeed says why and ends with 1', async (t) => {
  const home = await makeHome(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const cert = path.join(home.root, 'cert.pem');
  const otherKey = path.join(home.root, 'key.pem');
  writeFileSync(cert, makeCertificate().cert);
  writeFileSync(otherKey, makeCertificate().key);

  // What is wrong with a single value is refused in one place: src/config.test.ts has the rest of them.
  const refusals: [Settings, RegExp][] = [
    [{ PORT: String(port) }, new RegExp(`Port ${port} is in use.* set PORT to`)],
    [{ OTC_PORT: String(port) }, new RegExp(`Port ${port} is in use.* set OTC_PORT to`)],
    [{ OTC_PORT: String(home.port) }, /OTC_PORT must differ from PORT/],
    [{ HOST: '203.0.113.1' }, /Check HOST and PORT/],
    [{ DATABASE_URL: 'mysql://root:hunter2@db/x' }, /DATABASE_URL must be a URL that starts with postgres:/],
    [{ TLS_CERT: '/nowhere/cert.pem' }, /TLS_KEY must be set/],
    [{ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: otherKey }, /TLS_CERT cannot be read: ENOENT/],
    [{ TLS_CERT: cert, TLS_KEY: cert }, /TLS_CERT and TLS_KEY cannot be used together/],
    [{ TLS_CERT: cert, TLS_KEY: otherKey }, /TLS_CERT and TLS_KEY cannot be used together: .*mismatch/],
    [
      { ...SECRETS_KEY, DATABASE_URL: databaseUrl('no_such_database') },
      /at DATABASE_URL cannot be used: .*no_such_database/,
    ],
  ];
  for (const [settings, message] of refusals) {
    const started = launchService(home, settings);
    assert.deepEqual(await started.ended, { code: 1, signal: null }, JSON.stringify(settings));
    assert.match(started.stderr(), message);
    assert.equal(started.stderr().trim().split('\n').length, 1, `one line, no stack: ${started.stderr()}`);
    assert.doesNotMatch(started.stderr(), /hunter2/);
    assert.equal(started.stdout(), '');
    assert.ok(!existsSync(home.dataDir), 'nothing was set up');
  }
});

test('threat 90: a start that fails half-way does not leave its database running', async (t) => {
  const home = await makeHome(t);
  // A directory where the credentials file belongs: found out about only after the database is there.
  mkdirSync(path.join(home.dataDir, 'sandbox.json', 'in-the-way'), { recursive: true });
  const started = launchService(home);
  assert.deepEqual(await started.ended, { code: 1, signal: null });
  assert.match(started.stdout(), /started the database/);
  assert.match(started.stderr(), /EISDIR/);
  assert.equal(postmasterOf(home.dataDir), undefined);
});
