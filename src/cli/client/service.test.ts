// Tests how a client command chooses its service and its key. Explicit settings take precedence, the command never guesses a
// value, and it sends a live key only over an encrypted connection.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from '../terminal/command-error.ts';
import { findAccess } from './service.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-service-'));
after(() => rmSync(directory, { recursive: true }));
const sandbox = {
  ...{ base_url: 'http://127.0.0.1:4000', test_key: 'sk_test_sandbox', live_key: 'sk_live_sandbox' },
  ...{ business_id: 'biz_1', link_tag: 'sandbox' },
};
writeFileSync(path.join(directory, 'sandbox.json'), JSON.stringify(sandbox));
const keyFile = path.join(directory, 'key');
writeFileSync(keyFile, 'sk_live_file\n');

const NONE = { 'base-url': undefined, 'key-file': undefined };
const refusal = (
  options: typeof NONE | Record<string, string>,
  env: Record<string, string>,
  dataDir = directory,
) => {
  try {
    findAccess({ ...NONE, ...options }, env, dataDir);
  } catch (error) {
    assert.ok(error instanceof CommandError && error.exit === 'usage');
    return error.message;
  }
  return assert.fail('it was not refused');
};

test('without options or variables, the test key and the business of the sandbox in DATA_DIR are used', () => {
  const found = findAccess(NONE, {}, directory);
  assert.deepEqual(
    [found.secretKey, found.baseUrl, found.businessId, found.linkTag, found.mode, found.isSandbox],
    ['sk_test_sandbox', 'http://127.0.0.1:4000', 'biz_1', 'sandbox', 'test', true],
  );
  assert.match(found.from, /sandbox\.json$/);
  const elsewhere = findAccess({ ...NONE, 'base-url': 'http://127.0.0.1:1' }, {}, directory);
  assert.equal(elsewhere.baseUrl, 'http://127.0.0.1:1');
});

test('a key file is preferred to the environment, and the environment to the sandbox', () => {
  const env = {
    ...{ SLIPROAD_SECRET_KEY: 'sk_test_env', SLIPROAD_BASE_URL: 'https://sliproad.example' },
    ...{ SLIPROAD_BUSINESS_ID: 'biz_2', SLIPROAD_LINK_TAG: 'acme' },
  };
  const byEnv = findAccess(NONE, env, directory);
  assert.deepEqual(
    [byEnv.secretKey, byEnv.businessId, byEnv.mode, byEnv.isSandbox],
    ['sk_test_env', 'biz_2', 'test', false],
  );
  const byFile = findAccess({ ...NONE, 'key-file': keyFile }, env, directory);
  assert.deepEqual([byFile.secretKey, byFile.mode, byFile.from], ['sk_live_file', 'live', keyFile]);
});

test('an explicit key is used without the business of the sandbox, and needs an explicit service address', () => {
  assert.match(refusal({}, { SLIPROAD_SECRET_KEY: 'sk_test_env' }), /address of its service is missing/);
  const env = { SLIPROAD_SECRET_KEY: 'sk_test_env', SLIPROAD_BASE_URL: 'https://sliproad.example' };
  assert.equal(findAccess(NONE, env, directory).businessId, undefined);
});

test('the error about a missing or invalid key says how to fix it, and never shows the key', () => {
  assert.match(
    refusal({}, {}, path.join(directory, 'none')),
    /sandbox\.json cannot be read \(ENOENT\).*--key-file/,
  );
  assert.match(
    refusal({ 'key-file': path.join(directory, 'no') }, {}),
    /Could not read .* \(--key-file\): ENOENT/,
  );
  const hunter = refusal(
    {},
    { SLIPROAD_SECRET_KEY: 'hunter2', SLIPROAD_BASE_URL: 'https://sliproad.example' },
  );
  assert.match(hunter, /SLIPROAD_SECRET_KEY holds no secret key/);
  assert.ok(!hunter.includes('hunter2'));
});

test('threat 92: a live key is not sent unencrypted, except on this machine', () => {
  const live = (baseUrl: string) => ({ SLIPROAD_SECRET_KEY: 'sk_live_1', SLIPROAD_BASE_URL: baseUrl });
  for (const url of ['http://sliproad.example', 'http://127.0.0.1.example', 'http://10.0.0.1:4000'])
    assert.match(refusal({}, live(url)), /A live key is not sent over http:/);
  for (const url of [
    'https://sliproad.example',
    'http://127.0.0.1:4000',
    'http://localhost',
    'http://[::1]:4000',
  ])
    assert.equal(findAccess(NONE, live(url), directory).mode, 'live');
});
