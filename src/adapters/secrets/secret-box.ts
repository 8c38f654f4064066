// Encrypts stored secrets that must be read again: TOTP secrets, webhook secrets, rail credentials. AES-256-GCM is used with a
// key from the key file. The purpose of the secret is authenticated too, so that a row cannot be moved to another person.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { makeHashInput } from '../../domain/privacy/person-query.ts';
import { formatErasedHash } from '../../domain/values/erased.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { PersonalHash } from '../../ports/privacy.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretsKey {
  /** Identifies the key in every text that was encrypted with it. */
  readonly id: string;
  readonly bytes: Buffer;
}

export interface SecretsKeys {
  /** The first key encrypts; every key can decrypt. */
  readonly keys: readonly [SecretsKey, ...SecretsKey[]];
  /** This key is never replaced, because fingerprints are compared as long as the rows exist. */
  readonly fingerprintKey: Buffer;
}

/** The encrypted text cannot be decrypted, because another key file encrypted it, or the row was changed or moved. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

export function makeSecretBox({ keys, fingerprintKey }: SecretsKeys): SecretBox {
  const [newest] = keys;
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
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
        throw new SecretUnreadableError(
          `The key file of stored secrets (SECRETS_KEY_FILE) has no key ${id ?? ''}, and this secret was sealed with it. Put the right copy of the file back.`,
        );
      const bytes = Buffer.from(body, 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(purpose));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch (cause) {
        throw new SecretUnreadableError('a sealed secret was changed, or belongs elsewhere', { cause });
      }
    },
    isOld: (text) => !text.startsWith(`${newest.id}.`),
    fingerprint: (secret) => createHmac('sha256', fingerprintKey).update(secret).digest('base64url'),
  };
}

// This computes keyed hashes of personal data. Their key is derived from the fingerprint key of the key file, which no rotation
// replaces. Equal values have equal hashes as long as the file exists. Without the file, an attacker cannot test guessed
// values.
const PURPOSE = Buffer.from('keyed hashes of personal data, 1');

export function makePersonalHash(box: Pick<SecretBox, 'fingerprint'>): PersonalHash {
  let key: string | undefined;
  return (kind, value) => {
    key ??= box.fingerprint(PURPOSE);
    return formatErasedHash(createHmac('sha256', key).update(makeHashInput(kind, value)).digest());
  };
}
