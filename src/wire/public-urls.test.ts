// Tests where passkeys work. Browsers bind a passkey to a host name, never to an IP address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { derivePasskeyOrigin } from './public-urls.ts';

test('on a local machine passkeys belong to localhost, and otherwise to the host name of the public address', () => {
  assert.deepEqual(derivePasskeyOrigin(readConfig({})), {
    host: 'localhost',
    origin: 'http://localhost:4000',
  });
  assert.equal(
    derivePasskeyOrigin(readConfig({ HOST: '::1', PORT: '4100' })).origin,
    'http://localhost:4100',
  );
  const far = readConfig({ PUBLIC_BASE_URL: 'https://pay.example.com/ramp' });
  assert.deepEqual(derivePasskeyOrigin(far), { host: 'pay.example.com', origin: 'https://pay.example.com' });
});
