import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { addSecretsKey, dropOldSecretsKeys, openSecretBox, SecretsKeyError } from './key-file.ts';
import { SecretUnreadable } from './secret-box.ts';

function place(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-secrets-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return path.join(directory, 'secrets-key');
}

test('a sealed secret is read again by the same file, for the same purpose only', async (t) => {
  const file = place(t);
  const box = await openSecretBox(file, true);
  const sealed = box.seal(Buffer.from('shared secret'), 'totp per_1');
  const again = await openSecretBox(file, true);
  assert.equal(again.unseal(sealed, 'totp per_1').toString(), 'shared secret');
  assert.throws(() => again.unseal(sealed, 'totp per_2'), SecretUnreadable);
  assert.throws(() => again.unseal(`${sealed.slice(0, -2)}AA`, 'totp per_1'), SecretUnreadable);
  assert.notEqual(
    box.seal(Buffer.from('shared secret'), 'totp per_1'),
    sealed,
    'each with a nonce of its own',
  );
  assert.ok(!sealed.includes(Buffer.from('shared').toString('base64url')));
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('after a rotation old secrets are read, new ones are sealed with the new key, and then the old key can go', async (t) => {
  const file = place(t);
  const before = await openSecretBox(file, true);
  const sealed = before.seal(Buffer.from('s'), 'p');
  const fingerprint = before.fingerprint(Buffer.from('s'));
  const id = await addSecretsKey(file);
  const after = await openSecretBox(file, true);
  assert.equal(after.keyId, id);
  assert.equal(after.isOld(sealed), true);
  const renewed = after.seal(after.unseal(sealed, 'p'), 'p');
  assert.equal(after.isOld(renewed), false);
  assert.equal(after.fingerprint(Buffer.from('s')), fingerprint, 'equal secrets are still found');
  await dropOldSecretsKeys(file);
  const last = await openSecretBox(file, true);
  assert.equal(last.unseal(renewed, 'p').toString(), 's');
  assert.throws(() => last.unseal(sealed, 'p'), /no key/);
});

test('two first starts at once use one key', async (t) => {
  const file = place(t);
  const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox(file, true)));
  assert.equal(new Set(boxes.map(({ keyId }) => keyId)).size, 1);
});

test('a file that is missing, open to others or damaged is refused with the way out', async (t) => {
  const file = place(t);
  await assert.rejects(openSecretBox(file, false), /make-key/);
  writeFileSync(file, 'nonsense\n', { mode: 0o600 });
  await assert.rejects(openSecretBox(file, true), SecretsKeyError);
  assert.equal(readFileSync(file, 'utf8'), 'nonsense\n', 'and left as it is');
  chmodSync(file, 0o644);
  await assert.rejects(openSecretBox(file, true), /chmod 600/);
});
