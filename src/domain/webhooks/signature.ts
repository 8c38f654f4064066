// Signs webhooks according to the Standard Webhooks scheme: HMAC-SHA256 (v1) and ed25519 (v1a) over `id.timestamp.body`. So a
// receiver detects a changed body and a replay. The caller passes the random bytes for new keys.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

export const SECRET_RANDOM_BYTES = 32;
export const SIGNING_KEY_RANDOM_BYTES = 32;

const SECRET_PREFIX = 'whsec_';
const PRIVATE_PREFIX = 'whsk_';
const PUBLIC_PREFIX = 'whpk_';
/** The limits of the Standard Webhooks scheme for the length of a secret, in bytes. */
const SECRET_BYTES = { least: 24, most: 64 };
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** It takes longer to parse a key than to sign with it, so the most recently used keys stay in a cache. */
const MAX_CACHED_KEYS = 1_000;
const keyCache = new Map<string, KeyObject>();

export interface WebhookSecrets {
  /** `whsec_…` */
  readonly hmac: string;
  /** `whsk_…` */
  readonly ed25519: string;
}

export interface SignedMessage {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
  /** All active secrets, the newest first. While a secret is being rotated, two secrets are active. */
  readonly secrets: readonly WebhookSecrets[];
}

export function newSecret(random: Uint8Array): string {
  if (random.length < SECRET_BYTES.least || random.length > SECRET_BYTES.most)
    throw new Error(`a webhook secret needs ${SECRET_BYTES.least} to ${SECRET_BYTES.most} random bytes`);
  return SECRET_PREFIX + Buffer.from(random).toString('base64');
}

/**
 * The text of a private key contains its 32 random bytes and then the 32 bytes of the public key. Other libraries of the
 * Standard Webhooks scheme use the same format.
 */
export function newSigningKey(random: Uint8Array): {
  readonly privateKey: string;
  readonly publicKey: string;
} {
  if (random.length !== SIGNING_KEY_RANDOM_BYTES)
    throw new Error(`a signing key needs ${SIGNING_KEY_RANDOM_BYTES} random bytes`);
  const { x } = createPublicKey(privateKeyOf(random)).export({ format: 'jwk' });
  const publicBytes = Buffer.from(x!, 'base64url');
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([random, publicBytes]).toString('base64'),
    publicKey: PUBLIC_PREFIX + publicBytes.toString('base64'),
  };
}

/** Returns the value of the header `webhook-signature`: one `v1,…` and one `v1a,…` for each active secret. */
export function signatureHeader({ id, timestampSeconds, body, secrets }: SignedMessage): string {
  // If the id contained a full stop, a receiver could split the signed text at a wrong place.
  if (id === '' || id.includes('.')) throw new Error('the id of a webhook must have no full stop');
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
    throw new Error('the timestamp of a webhook must be in whole seconds');
  if (secrets.length === 0) throw new Error('a webhook is never sent unsigned');
  const content = Buffer.from(`${id}.${timestampSeconds}.${body}`);
  return secrets.map((each) => `${hmacOf(content, each.hmac)} ${ed25519Of(content, each.ed25519)}`).join(' ');
}

function hmacOf(content: Buffer, secret: string): string {
  const key = bytesOf(secret, SECRET_PREFIX);
  if (key.length < SECRET_BYTES.least) throw new Error('the webhook secret is too short');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function ed25519Of(content: Buffer, privateKey: string): string {
  return `v1a,${sign(null, content, loadKey(privateKey)).toString('base64')}`;
}

function loadKey(privateKey: string): KeyObject {
  const known = keyCache.get(privateKey);
  if (known !== undefined) {
    keyCache.delete(privateKey);
    keyCache.set(privateKey, known);
    return known;
  }
  const bytes = bytesOf(privateKey, PRIVATE_PREFIX);
  if (bytes.length !== 2 * SIGNING_KEY_RANDOM_BYTES) throw new Error('the signing key has the wrong length');
  const key = privateKeyOf(bytes.subarray(0, SIGNING_KEY_RANDOM_BYTES));
  keyCache.set(privateKey, key);
  if (keyCache.size > MAX_CACHED_KEYS) keyCache.delete(keyCache.keys().next().value!);
  return key;
}

function privateKeyOf(random: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, random]), format: 'der', type: 'pkcs8' });
}

function bytesOf(text: string, prefix: string): Buffer {
  if (!text.startsWith(prefix)) throw new Error(`expected a value that starts with ${prefix}`);
  return Buffer.from(text.slice(prefix.length), 'base64');
}
