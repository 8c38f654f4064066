// Encryption at rest of what must be read again: TOTP secrets, webhook secrets, rail credentials. AES-256-GCM under a key
// of the key file; what the secret is for is authenticated with it, so that a row cannot be moved to another person.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretsKey {
  /** Names the key in everything sealed with it. */
  readonly id: string;
  readonly bytes: Buffer;
}

export interface SecretBox {
  /** The id of the key that new secrets are sealed with. */
  readonly keyId: string;
  /** `purpose`: what the secret is and whose, e.g. `totp per_…`. */
  seal(secret: Uint8Array, purpose: string): string;
  unseal(sealed: string, purpose: string): Buffer;
  /** True when it was sealed with an older key. */
  isOld(sealed: string): boolean;
  /** The same for equal secrets, and reveals nothing of them. */
  fingerprint(secret: Uint8Array): string;
}

/** The sealed text cannot be opened: another key file, or a row that was changed or moved. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** The first key seals; all of them open. */
export function makeSecretBox(keys: readonly [SecretsKey, ...SecretsKey[]]): SecretBox {
  const [newest] = keys;
  const byId = new Map(keys.map((key) => [key.id, key]));
  const oldest = keys.at(-1)!;
  const fingerprintKey = Buffer.from(hkdfSync('sha256', oldest.bytes, '', 'sliproad fingerprint', 32));
  return {
    keyId: newest.id,
    seal: (secret, purpose) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
      return `${newest.id}.${sealed.toString('base64url')}`;
    },
    unseal: (text, purpose) => {
      const [id, body] = text.split('.');
      const key = byId.get(id ?? '');
      if (key === undefined || body === undefined)
        throw new SecretUnreadable(`the key file has no key ${id ?? ''}: use the one this was sealed with`);
      const bytes = Buffer.from(body, 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch (cause) {
        throw new SecretUnreadable('a sealed secret was changed, or belongs elsewhere', { cause });
      }
    },
    isOld: (text) => !text.startsWith(`${newest.id}.`),
    fingerprint: (secret) => createHmac('sha256', fingerprintKey).update(secret).digest('base64url'),
  };
}
