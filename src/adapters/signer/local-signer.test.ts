// Tests the local signer. Its signatures are valid for the libraries of the networks, and its secrets stay hidden.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { SigningRefused, type SigningRequest } from '../../ports/signer.ts';
import { addKey, makeKeyFile, openKeys } from './key-file.ts';
import { KeyFileError, type KeyFileErrorCode } from './key-file-format.ts';
import { makeKeyMaterial } from './key-material.ts';
import { openLocalSigner } from './local-signer.ts';
import { type PassphraseSetting, readPassphrase } from './private-file.ts';
import { readSecretText } from './secret-text.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-signer-'));
after(() => rmSync(directory, { recursive: true }));

const PASSPHRASE = 'correct horse battery';
const file = makeKeyFile(path.join(directory, 'keys.json'), { n: 16, r: 1, p: 1 });
const secret = randomBytes(32);
const seed = randomBytes(32);
await addKey(file, PASSPHRASE, { name: 'treasury', secret, schemes: ['secp256k1', 'ed25519'] });
await addKey(file, PASSPHRASE, { name: 'stellar', secret: seed, schemes: ['ed25519'] });
const signer = await openLocalSigner(file, PASSPHRASE);

const request = (changes: Partial<SigningRequest>): SigningRequest => ({
  ...{ network: 'polygon', key: 'treasury', derived: null, scheme: 'ed25519', spends: [] },
  message: Buffer.from('a message'),
  ...changes,
});
const spellings = (bytes: Buffer) => [
  ...[bytes.toString('hex'), bytes.toString('base64'), inspect(bytes), JSON.stringify([...bytes])],
  ...[bytes.join(', '), String(BigInt(`0x${bytes.toString('hex')}`))],
];

test('the networks’ own libraries accept its signatures', async () => {
  const { recoverAddress } = await import('viem');
  const hash = `0x${createHash('sha256').update('x').digest('hex')}` as const;
  const signature = Buffer.from(
    await signer.sign(request({ scheme: 'secp256k1', message: Buffer.from(hash.slice(2), 'hex') })),
  );
  assert.equal(signature.length, 65);
  assert.ok(signature[32]! < 0x80, 's is in the lower half');
  const whole = `0x${signature.subarray(0, 64).toString('hex')}${signature[64] === 0 ? '1b' : '1c'}` as const;
  const [treasury] = await openKeys(file, PASSPHRASE);
  assert.equal(await recoverAddress({ hash, signature: whole }), treasury!.addresses.evm);
  assert.equal((await signer.publicKey('treasury', 'secp256k1')).length, 65);

  const { Keypair } = await import('@stellar/stellar-sdk/base');
  const pair = Keypair.fromRawEd25519Seed(seed);
  const given = request({ key: 'stellar' });
  assert.ok(pair.verify(Buffer.from(given.message), Buffer.from(await signer.sign(given))));
  assert.deepEqual(
    Buffer.from(await signer.publicKey('stellar', 'ed25519')),
    Buffer.from(pair.rawPublicKey()),
  );
});

test('each derived key is different, signs for itself, and stays the same after a restart', async () => {
  const derived = signer.derivedPublicKey('treasury', 'txn_1');
  const again = await openLocalSigner(file, PASSPHRASE);
  assert.deepEqual(again.derivedPublicKey('treasury', 'txn_1'), derived);
  assert.notDeepEqual(signer.derivedPublicKey('treasury', 'txn_2'), derived);
  assert.notDeepEqual(signer.derivedPublicKey('stellar', 'txn_1'), derived);
  const signature = await signer.sign(request({ derived: 'txn_1' }));
  assert.deepEqual(
    signature,
    await makeKeyMaterial(secret).sign('ed25519', Buffer.from('a message'), 'txn_1'),
  );
});

test('a missing key or a key for another curve is refused with a message for the operator', async () => {
  const refusal = (message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof SigningRefused);
    assert.equal(error.code, 'unavailable');
    return message.test(error.message);
  };
  await assert.rejects(
    signer.sign(request({ key: 'missing' })),
    refusal(/it has treasury, stellar.*create-key missing/),
  );
  const message = Buffer.alloc(32);
  await assert.rejects(
    signer.sign(request({ key: 'stellar', scheme: 'secp256k1', message })),
    refusal(/not one for/),
  );
  await assert.rejects(signer.publicKey('missing', 'ed25519'), { code: 'key_missing' });
  await assert.rejects(signer.publicKey('constructor', 'ed25519'), { code: 'key_missing' });
  assert.throws(() => signer.derivedPublicKey('missing', 'a'), { code: 'key_missing' });
  await assert.rejects(signer.sign(request({ scheme: 'secp256k1' })), /32 bytes/);
});

test('threat 92: no printed object, JSON or error contains a secret', async () => {
  const seen: unknown[] = [signer, makeKeyMaterial(secret)];
  for (const attempt of [
    () => signer.sign(request({ key: 'missing' })),
    () => signer.sign(request({ scheme: 'secp256k1', derived: 'x', message: Buffer.alloc(32) })),
    () => signer.sign(request({ message: undefined as unknown as Buffer })),
    () => openLocalSigner(file, 'another passphrase'),
  ]) {
    await assert.rejects(attempt, (error) => {
      seen.push(error);
      return true;
    });
  }
  const printed = seen
    .flatMap((each) => [
      inspect(each, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(each),
      String(each),
      (each as Error).stack,
    ])
    .join('\n');
  for (const spelling of [...spellings(secret), ...spellings(seed), PASSPHRASE])
    assert.ok(!printed.includes(spelling));
});

const refused =
  (code: KeyFileErrorCode, message = /./) =>
  (error: unknown) =>
    error instanceof KeyFileError && error.code === code && message.test(error.message);

test('secrets are read in all common formats', async () => {
  const { Keypair } = await import('@stellar/stellar-sdk/base');
  const { getBase58Decoder } = await import('@solana/kit');
  const pair = Buffer.concat([seed, await makeKeyMaterial(seed).publicKey('ed25519')]);
  const spelled: [string, readonly string[]][] = [
    [seed.toString('hex'), ['secp256k1', 'ed25519']],
    [` 0x${seed.toString('hex').toUpperCase()}\n`, ['secp256k1', 'ed25519']],
    [`${Keypair.fromRawEd25519Seed(seed).secret()}\n`, ['ed25519']],
    [getBase58Decoder().decode(pair), ['ed25519']],
    [JSON.stringify([...pair]), ['ed25519']],
  ];
  for (const [text, schemes] of spelled) {
    const read = await readSecretText(text);
    assert.deepEqual([read.secret.toString('hex'), read.schemes], [seed.toString('hex'), schemes], text);
  }
});

test('threat 92: the error about an unreadable secret does not contain the secret', async () => {
  const { Keypair } = await import('@stellar/stellar-sdk/base');
  const { getBase58Decoder } = await import('@solana/kit');
  const stellar = Keypair.fromRawEd25519Seed(seed).secret();
  const torn = Buffer.concat([seed, randomBytes(32)]);
  const wrong = [
    ...[seed.toString('hex').slice(1), `${stellar.slice(0, -1)}${stellar.endsWith('A') ? 'B' : 'A'}`],
    ...[getBase58Decoder().decode(torn), JSON.stringify([...torn]), JSON.stringify([...torn]).slice(0, -1)],
    ...['[1,2,"x"]', '[256]', '[]', '{}', '', `0${'z'.repeat(86)}`, 'z'.repeat(88)],
  ];
  for (const text of wrong) {
    await assert.rejects(readSecretText(text), (error: Error) => {
      assert.ok(refused('bad_secret')(error), inspect(error));
      if (text.length > 10) assert.ok(!inspect(error, { showHidden: true }).includes(text.slice(1, 12)));
      return true;
    });
  }
  // These numbers are not valid keys on the curve. The library's error would contain these numbers.
  for (const hex of ['00'.repeat(32), 'ff'.repeat(32)]) {
    const given = { name: 'x', ...(await readSecretText(hex)) };
    await assert.rejects(addKey(file, PASSPHRASE, given), refused('bad_secret', /not a secp256k1 key/));
  }
});

test('the passphrase is read from the environment or a private file, and needs at least twelve characters', async () => {
  const setting = (text: string | null, where: string | null = null): PassphraseSetting => ({
    ...{ name: 'SIGNER_PASSPHRASE', file: where },
    text: text === null ? null : () => text,
  });
  assert.equal(await readPassphrase(setting('twelve chars')), 'twelve chars');
  assert.ok(!inspect(setting('twelve chars'), { showHidden: true }).includes('twelve chars'));
  assert.ok(!JSON.stringify(setting('twelve chars')).includes('twelve chars'));
  await assert.rejects(
    readPassphrase(setting('eleven char')),
    refused('passphrase_too_short', /at least 12/),
  );
  await assert.rejects(
    readPassphrase(setting(null)),
    refused('passphrase_missing', /SIGNER_PASSPHRASE_FILE/),
  );
  const where = path.join(directory, 'passphrase');
  await assert.rejects(readPassphrase(setting(null, where)), refused('passphrase_missing', /does not exist/));
  for (const ending of ['', '\n', '\r\n']) {
    writeFileSync(where, ` spaces  stay ${ending}`, { mode: 0o600 });
    assert.equal(await readPassphrase(setting(null, where)), ' spaces  stay ');
  }
  await assert.rejects(
    readPassphrase(setting('twelve chars', where)),
    refused('passphrase_missing', /not both/),
  );
  chmodSync(where, 0o644);
  await assert.rejects(readPassphrase(setting(null, where)), refused('readable_by_others', /chmod 600/));
  await assert.rejects(readPassphrase(setting(null, directory)), refused('file_unusable', /EISDIR/));
});
