// Tests a service without an identity provider, and services whose provider cannot be reached or whose client secret cannot be
// read.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { afterFile } from '../../support/sharing/file-group.ts';
import { openBrowser } from './browser.ts';

const WAYS = ['/console/v1/provider/start', '/console/v1/provider/return?code=1&state=2'];
// No server listens on port 1 of this machine.
const AWAY = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'console' };

test('without an identity provider the route does not exist, and the sign-in page does not offer it', async () => {
  const service = await startTestService({ TRUST_PROXY: 'loopback' });
  const browser = openBrowser(service);
  for (const way of WAYS) {
    const { status, body } = await browser.send('GET', way);
    assert.deepEqual([status, body.code], [404, 'not_found']);
    assert.match(body.message, /No identity provider is configured/);
  }
  const { body } = await browser.send('GET', '/console/v1/sign-in/options');
  assert.deepEqual(body, { status: 'success', provider_url: null, sandbox: false });
  assert.deepEqual(browser.setCookies, []);
});

test('a service starts while its identity provider is unreachable, and a person who signs in is sent back to the sign-in page', async () => {
  const service = await startTestService({ ...AWAY, OIDC_CLIENT_SECRET: 'client-secret-marker' });
  const browser = openBrowser(service);
  const { status, headers } = await browser.send('GET', WAYS[0]!);
  assert.deepEqual([status, headers.get('location')], [303, '/app/sign-in#problem=provider_unavailable']);
  assert.deepEqual(browser.setCookies, [], 'no attempt was begun');
  const log = service.logged();
  assert.match(log, /the identity provider does not answer.*the identity provider is unavailable/);
  assert.ok(!log.includes('client-secret-marker'));
});

test('threat 92: a secret file that is missing, empty or readable by others prevents the start', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sliproad-provider-'));
  afterFile(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'client-secret');
  const start = () => startTestService({ ...AWAY, OIDC_CLIENT_SECRET_FILE: file });
  await assert.rejects(start(), /OIDC_CLIENT_SECRET_FILE, .* does not exist or is empty/);
  await writeFile(file, '\n', { mode: 0o600 });
  await assert.rejects(start(), /OIDC_CLIENT_SECRET_FILE, .* does not exist or is empty/);
  await writeFile(file, 'client-secret-marker\n');
  await chmod(file, 0o644);
  await assert.rejects(start(), ({ message }: Error) => {
    assert.match(message, /OIDC_CLIENT_SECRET_FILE, .* can be read by others/);
    return !message.includes('client-secret-marker');
  });
});
