// Tests the settings of an identity provider. All or none of them must be set, the secret is never printed, and the issuer is
// used exactly as written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { readConfig } from '../config.ts';

const OIDC_ISSUER = 'https://login.example/realms/main';
const RIGHT = { OIDC_ISSUER, OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: ' hunter2 ' };
const provider = (env: Record<string, string>) => readConfig(env).identityProvider;

test('without OIDC_ISSUER, no identity provider is configured', () => {
  assert.equal(provider({}), null);
});

test('the client secret comes from a setting or from a file but not from both, and is not trimmed', () => {
  const byItself = provider(RIGHT)!;
  assert.deepEqual([byItself.issuer, byItself.clientId], [OIDC_ISSUER, 'console']);
  assert.equal(byItself.clientSecret.text!(), ' hunter2 ');
  const { OIDC_CLIENT_SECRET: _, ...others } = RIGHT;
  assert.equal(provider({ ...others, OIDC_CLIENT_SECRET_FILE: '/run/oidc' })!.clientSecret.file, '/run/oidc');
  assert.throws(
    () => provider({ ...RIGHT, OIDC_CLIENT_SECRET_FILE: '/run/oidc' }),
    /OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE must not both be set/,
  );
});

test('threat 92: neither a printed configuration nor an error message shows the secret', () => {
  const config = readConfig(RIGHT);
  assert.ok(
    !inspect(config, { depth: 9 }).includes('hunter2') &&
      !JSON.stringify(config.identityProvider).includes('hunter2'),
  );
  assert.throws(
    () => provider({ ...RIGHT, OIDC_ISSUER: 'https://ada:hunter2@login.example' }),
    ({ message }: Error) =>
      message.includes('OIDC_ISSUER must be only the issuer') && !message.includes('hunter2'),
  );
});

test('the issuer is not normalised: a trailing slash stays', () => {
  for (const issuer of [
    'https://login.example/',
    'https://login.example',
    'https://login.example/o/console/',
  ])
    assert.equal(provider({ ...RIGHT, OIDC_ISSUER: issuer })!.issuer, issuer);
});

test('plain HTTP is allowed only for a provider on the same machine', () => {
  for (const issuer of ['http://127.0.0.1:9000', 'http://localhost:9000/realm', 'http://[::1]:9000'])
    assert.equal(provider({ ...RIGHT, OIDC_ISSUER: issuer })!.issuer, issuer);
  for (const issuer of ['http://login.example', 'http://127.0.0.1.example', 'http://localhost.example'])
    assert.throws(() => provider({ ...RIGHT, OIDC_ISSUER: issuer }), /OIDC_ISSUER must start with https:/);
});

test('an invalid issuer is refused, and the message says what to set instead', () => {
  const wrong: Readonly<Record<string, RegExp>> = {
    'login.example': /OIDC_ISSUER must be a URL that starts with https:\/\//,
    'https://login.example?tenant=1': /OIDC_ISSUER must be only the issuer/,
    'https://login.example/#main': /OIDC_ISSUER must be only the issuer/,
    'https://login.example/.well-known/openid-configuration': /OIDC_ISSUER must be only the issuer/,
    'https://login.microsoftonline.com/common/v2.0': /OIDC_ISSUER must name your own tenant/,
    'https://login.microsoftonline.com/organizations': /OIDC_ISSUER must name your own tenant/,
  };
  for (const [issuer, message] of Object.entries(wrong))
    assert.throws(() => provider({ ...RIGHT, OIDC_ISSUER: issuer }), message, issuer);
});

test('a provider needs all its settings, and without an issuer none of them may be set', () => {
  const without = (name: keyof typeof RIGHT) => ({ ...RIGHT, [name]: '' });
  assert.throws(() => provider(without('OIDC_ISSUER')), /OIDC_CLIENT_ID must be set when OIDC_ISSUER is/);
  assert.throws(() => provider(without('OIDC_CLIENT_ID')), /OIDC_CLIENT_ID must be set when OIDC_ISSUER is/);
  assert.throws(
    () => provider(without('OIDC_CLIENT_SECRET')),
    /OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE must be set/,
  );
});
