import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { addSecretsKey, dropOldSecretsKeys, openSecretBox, SecretsKeyError } from './key-file.ts';
import { SecretUnreadableError } from './secret-box.ts';

function place(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-secrets-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return path.join(directory, 'secrets-key');
}

test('a sealed secret can be opened only with the same key file and for the same purpose', async (t) => {
  const file = place(t);
  const box = await openSecretBox(file, true);
  const sealed = box.seal(Buffer.from('shared secret'), 'totp per_1');
  const again = await openSecretBox(file, true);
  assert.equal(Buffer.from(again.unseal(sealed, 'totp per_1')).toString(), 'shared secret');
  assert.throws(() => again.unseal(sealed, 'totp per_2'), SecretUnreadableError);
  assert.throws(() => again.unseal(`${sealed.slice(0, -2)}AA`, 'totp per_1'), SecretUnreadableError);
  assert.notEqual(
    box.seal(Buffer.from('shared secret'), 'totp per_1'),
    sealed,
    'each with a nonce of its own',
  );
  assert.ok(!sealed.includes(Buffer.from('shared').toString('base64url')));
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('during a key rotation a running service opens with both keys and seals with the new one; later the old key can be removed', async (t) => {
  const file = place(t);
  const running = await openSecretBox(file, true);
  const sealed = running.seal(Buffer.from('s'), 'p');
  const fingerprint = running.fingerprint(Buffer.from('s'));
  assert.equal(running.isOld(sealed), false);
  const id = await addSecretsKey(file);
  for (const box of [running, await openSecretBox(file, true)]) {
    assert.equal(box.isOld(sealed), true);
    const renewed = box.seal(box.unseal(sealed, 'p'), 'p');
    assert.equal(box.isOld(renewed), false);
    assert.ok(renewed.startsWith(`${id}.`));
    assert.equal(Buffer.from(running.unseal(renewed, 'p')).toString(), 's');
  }
  const renewed = running.seal(running.unseal(sealed, 'p'), 'p');
  await dropOldSecretsKeys(file);
  for (const box of [running, await openSecretBox(file, true)]) {
    assert.equal(Buffer.from(box.unseal(renewed, 'p')).toString(), 's');
    assert.throws(() => box.unseal(sealed, 'p'), /no key/);
    assert.equal(box.fingerprint(Buffer.from('s')), fingerprint, 'equal secrets are still found');
  }
});

test('if the key file is lost while the service runs, stored secrets can still be opened, but no secret can be sealed', async (t) => {
  const file = place(t);
  const box = await openSecretBox(file, true);
  const sealed = box.seal(Buffer.from('s'), 'p');
  rmSync(file);
  assert.equal(Buffer.from(box.unseal(sealed, 'p')).toString(), 's');
  assert.throws(() => box.seal(Buffer.from('s'), 'p'), SecretsKeyError);
});

test('first starts at the same time use the same key', async (t) => {
  const file = place(t);
  const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox(file, true)));
  const sealed = boxes.map((box) => box.seal(Buffer.from('s'), 'p'));
  for (const box of boxes)
    for (const each of sealed) assert.equal(Buffer.from(box.unseal(each, 'p')).toString(), 's');
});

test('a missing, damaged or publicly readable key file is refused with a message that says what to do', async (t) => {
  const file = place(t);
  await assert.rejects(openSecretBox(file, false), /make-key/);
  writeFileSync(file, 'nonsense\n', { mode: 0o600 });
  await assert.rejects(openSecretBox(file, true), SecretsKeyError);
  assert.equal(readFileSync(file, 'utf8'), 'nonsense\n', 'and left as it is');
  writeFileSync(file, `abcdefgh ${'A'.repeat(43)}\n`, { mode: 0o600 });
  await assert.rejects(openSecretBox(file, true), /fingerprint KEY/);
  chmodSync(file, 0o644);
  await assert.rejects(openSecretBox(file, true), /chmod 600/);
});
