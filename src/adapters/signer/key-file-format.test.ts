// Tests the text of the key file. A written document is read back, and a field of a wrong type counts as damage, even if the
// checksum matches.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type KeyDocument, KeyFileError, readDocument, writeDocument } from './key-file-format.ts';
import { NONCE_BYTES, SALT_BYTES, TAG_BYTES } from './key-sealing.ts';

const DOCUMENT: KeyDocument = {
  scrypt: { n: 16, r: 1, p: 1, salt: Buffer.alloc(SALT_BYTES, 1) },
  keys: [
    {
      ...{ name: 'treasury', createdAt: '2026-11-14T09:30:00.000Z', schemes: ['secp256k1'] },
      addresses: { evm: `0x${'1'.repeat(40)}` },
      sealed: {
        ...{ nonce: Buffer.alloc(NONCE_BYTES, 2), ciphertext: Buffer.alloc(32, 3) },
        tag: Buffer.alloc(TAG_BYTES, 4),
      },
    },
  ],
};

type Fields = Record<string, unknown>;

function forged(change: (scrypt: Fields, key: Fields) => void): string {
  const body = JSON.parse(writeDocument(DOCUMENT)) as Fields & { scrypt: Fields; keys: [Fields] };
  delete body.sum;
  change(body.scrypt, body.keys[0]);
  const sum = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return JSON.stringify({ ...body, sum });
}

test('a written document is read back unchanged', () => {
  assert.deepEqual(readDocument(writeDocument(DOCUMENT), 'keys.json'), DOCUMENT);
  assert.deepEqual(
    readDocument(
      forged(() => undefined),
      'keys.json',
    ),
    DOCUMENT,
  );
});

test('a scrypt parameter or a part of a key with a wrong type is reported as damage', () => {
  const SCRYPT = 'its scrypt parameters are not valid';
  const KEY = 'key 1 is not valid';
  const cases: readonly (readonly [(scrypt: Fields, key: Fields) => void, string])[] = [
    ...['n', 'r', 'p'].map((name) => [(scrypt: Fields) => (scrypt[name] = '1'), SCRYPT] as const),
    ...['n', 'r', 'p'].map((name) => [(scrypt: Fields) => delete scrypt[name], SCRYPT] as const),
    [(scrypt) => (scrypt.salt = 7), SCRYPT],
    ...['name', 'created_at', 'schemes', 'addresses', 'nonce', 'ciphertext', 'tag'].map(
      (name) => [(_: Fields, key: Fields) => (key[name] = 7), KEY] as const,
    ),
  ];
  for (const [change, what] of cases)
    assert.throws(
      () => readDocument(forged(change), 'keys.json'),
      (error: unknown) => {
        assert.ok(error instanceof KeyFileError, String(change));
        assert.deepEqual(
          [error.code, error.message],
          ['damaged', `The key file keys.json is damaged: ${what}. Restore it from a backup.`],
        );
        return true;
      },
    );
});
