// Tests webhook signatures: the library of the Standard Webhooks scheme and WebCrypto can verify them, and reject a changed
// message or a changed time.
import assert from 'node:assert/strict';
import crypto, { createHash, webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  newSecret,
  newSigningKey,
  SECRET_RANDOM_BYTES,
  SIGNING_KEY_RANDOM_BYTES,
  signatureHeader,
} from './signature.ts';

const bytes = (seed: string, length = SIGNING_KEY_RANDOM_BYTES) =>
  createHash('shake256', { outputLength: length }).update(seed).digest();
const ID = 'evt_01k0000000000000000000000_5';
const BODY = '{"type":"transaction.completed","data":{"name":"Adé ₦ 🏦"}}';
const nowSeconds = () => Math.floor(Date.now() / 1_000);

function pair(seed: string) {
  const { privateKey, publicKey } = newSigningKey(bytes(`key ${seed}`));
  return { hmac: newSecret(bytes(seed, SECRET_RANDOM_BYTES)), ed25519: privateKey, publicKey };
}

function signed(secrets: readonly ReturnType<typeof pair>[], timestampSeconds = nowSeconds()) {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ id: ID, timestampSeconds, body: BODY, secrets }),
  };
}

async function verifiesByKey(
  headers: ReturnType<typeof signed>,
  publicKey: string,
  body = BODY,
): Promise<boolean> {
  const raw = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64');
  const key = await webcrypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = headers['webhook-signature'].split(' ').filter((each) => each.startsWith('v1a,'));
  const verdicts = await Promise.all(
    signatures.map((each) =>
      webcrypto.subtle.verify('Ed25519', key, Buffer.from(each.slice(4), 'base64'), content),
    ),
  );
  return verdicts.includes(true);
}

test('threat 73: v1 verifies with standardwebhooks and v1a with WebCrypto; a changed body, id or timestamp fails', async () => {
  const secrets = pair('one');
  const headers = signed([secrets]);
  const verifier = new Webhook(secrets.hmac);
  assert.deepEqual(verifier.verify(BODY, headers), JSON.parse(BODY));
  assert.equal(await verifiesByKey(headers, secrets.publicKey), true);
  const changes = [
    { headers, body: BODY.replace('Adé', 'Ade') },
    { headers: { ...headers, 'webhook-id': ID.replace('_5', '_6') }, body: BODY },
    {
      headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
      body: BODY,
    },
  ];
  for (const change of changes) {
    assert.throws(() => verifier.verify(change.body, change.headers), /No matching signature/);
    assert.equal(await verifiesByKey(change.headers, secrets.publicKey, change.body), false);
  }
});

test('while a rotation overlaps, the header has two pairs of signatures, and each receiver can verify with its own key', async () => {
  const [fresh, old, other] = [pair('new'), pair('old'), pair('other')];
  const headers = signed([fresh, old]);
  assert.match(headers['webhook-signature'], /^v1,\S{44} v1a,\S{88} v1,\S{44} v1a,\S{88}$/);
  for (const { hmac, publicKey } of [fresh, old]) {
    assert.deepEqual(new Webhook(hmac).verify(BODY, headers), JSON.parse(BODY));
    assert.equal(await verifiesByKey(headers, publicKey), true);
  }
  assert.throws(() => new Webhook(other.hmac).verify(BODY, headers), /No matching signature/);
  assert.equal(await verifiesByKey(headers, other.publicKey), false);
});

test('threats 62, 73: a verifier refuses a timestamp that is ten minutes too old or too new', () => {
  const secrets = pair('one');
  const verifier = new Webhook(secrets.hmac);
  assert.throws(() => verifier.verify(BODY, signed([secrets], nowSeconds() - 600)), /too old/);
  assert.throws(() => verifier.verify(BODY, signed([secrets], nowSeconds() + 600)), /too new/);
  assert.ok(verifier.verify(BODY, signed([secrets], nowSeconds() - 240)));
});

test('secrets and keys have the forms of the scheme, and depend only on the random bytes', () => {
  assert.equal(newSecret(new Uint8Array(24)), `whsec_${'A'.repeat(32)}`);
  assert.deepEqual(newSigningKey(bytes('x')), newSigningKey(bytes('x')));
  // The values of the first test vector of RFC 8032.
  const random = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const publicKey = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
  assert.deepEqual(newSigningKey(random), {
    privateKey: `whsk_${Buffer.concat([random, publicKey]).toString('base64')}`,
    publicKey: `whpk_${publicKey.toString('base64')}`,
  });
});

test('input for a weak or ambiguous signature causes an error', () => {
  const secrets = [pair('one')];
  const message = { id: ID, timestampSeconds: 1_700_000_000, body: BODY, secrets };
  for (const length of [0, 23, 65]) assert.throws(() => newSecret(new Uint8Array(length)), /random bytes/);
  for (const length of [0, 31, 33, 64])
    assert.throws(() => newSigningKey(new Uint8Array(length)), /random bytes/);
  for (const id of ['', 'evt.1']) assert.throws(() => signatureHeader({ ...message, id }), /full stop/);
  for (const timestampSeconds of [1.5, -1, Number.NaN])
    assert.throws(() => signatureHeader({ ...message, timestampSeconds }), /whole seconds/);
  assert.throws(() => signatureHeader({ ...message, secrets: [] }), /unsigned/);
  const wrong = [
    { hmac: secrets[0]!.ed25519, ed25519: secrets[0]!.ed25519 },
    { hmac: 'whsec_AAAA', ed25519: secrets[0]!.ed25519 },
    { hmac: secrets[0]!.hmac, ed25519: secrets[0]!.publicKey },
    { hmac: secrets[0]!.hmac, ed25519: 'whsk_AAAA' },
  ];
  for (const each of wrong) assert.throws(() => signatureHeader({ ...message, secrets: [each] }));
});

test('keys that were dropped from the cache still give the same signatures', () => {
  const all = Array.from({ length: 1_002 }, (_, index) => pair(String(index)));
  const message = { id: ID, timestampSeconds: 1_700_000_000, body: BODY };
  const headers = all.map((each) => signatureHeader({ ...message, secrets: [each] }));
  assert.equal(new Set(headers).size, all.length);
  assert.deepEqual(
    all.map((each) => signatureHeader({ ...message, secrets: [each] })),
    headers,
  );
});

test('the cache keeps the thousand keys that were used last', () => {
  const all = Array.from({ length: 1_001 }, (_, index) => pair(`kept ${index}`));
  const reading = mock.method(crypto, 'createPrivateKey');
  syncBuiltinESMExports();
  try {
    const reads = (each: (typeof all)[number]) => {
      const before = reading.mock.callCount();
      signatureHeader({ id: ID, timestampSeconds: 1_700_000_000, body: BODY, secrets: [each] });
      return reading.mock.callCount() - before;
    };
    assert.equal(
      all.slice(0, 1_000).reduce((sum, each) => sum + reads(each), 0),
      1_000,
    );
    assert.equal(reads(all[0]!), 0, 'it is used again, so another is the oldest');
    assert.equal(reads(all[1_000]!), 1);
    assert.deepEqual([reads(all[0]!), reads(all[2]!), reads(all[1]!)], [0, 0, 1]);
  } finally {
    reading.mock.restore();
    syncBuiltinESMExports();
  }
});
