// Tests that keys from the URL of a provider are removed from its errors. An error without a key stays unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { redactSecrets, secretsInUrl } from './url-secrets.ts';

const URL_WITH_KEYS = 'https://some%20body:pa%2Fss@one.example/v2/path-key-1/rpc?apikey=query%2Dkey&page=2';

test('secrets are the long parts of the path and the query, the user name and the password, both encoded and decoded', () => {
  const secrets = secretsInUrl(URL_WITH_KEYS);
  for (const part of [
    'path-key-1',
    'query-key',
    'query%2Dkey',
    'some body',
    'some%20body',
    'pa/ss',
    'pa%2Fss',
  ])
    assert.ok(secrets.includes(part), part);
  assert.ok(secrets.includes(Buffer.from('some body:pa/ss').toString('base64')), 'as a header');
  for (const part of ['v2', 'rpc', 'page', '2', '']) assert.ok(!secrets.includes(part), part);
  assert.deepEqual(secretsInUrl('https://api.example/ext/bc/C/rpc'), []);
});

test('secrets are removed from the message, stack, cause and other fields of an error', () => {
  class Refused extends Error {
    override readonly name = 'Refused';
    readonly answer = { headers: ['x: path-key-1'] };
  }
  const error = new Refused('401 for /v2/path-key-1/rpc?apikey=query-key', {
    cause: new Error(URL_WITH_KEYS),
  });
  const clean = redactSecrets(error, secretsInUrl(URL_WITH_KEYS));
  assert.doesNotMatch(inspect(clean, { depth: 9 }), /path-key|query-key|query%2Dkey|pa%2Fss|body/);
  assert.equal(clean.message, '401 for /v2/[hidden]/rpc?apikey=[hidden]');
  assert.ok(clean instanceof Refused);
  assert.equal(clean.name, 'Refused');
  assert.match(clean.stack ?? '', /at /);
});

test('an error without secrets is returned unchanged, and a thrown value that is not an error is not repeated', () => {
  const secrets = secretsInUrl(URL_WITH_KEYS);
  const error = new Error('one.example answered 503', { cause: new Error('ECONNRESET') });
  assert.equal(redactSecrets(error, secrets), error);
  assert.equal(redactSecrets('path-key-1', secrets).message, 'it failed');
});
