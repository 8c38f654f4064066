// Encrypts secrets at rest. Scrypt derives a key from the passphrase, and AES-256-GCM encrypts each secret with that key and a
// separate nonce. The clear-text fields of a key are authenticated together with its secret.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

export interface ScryptParameters extends ScryptCost {
  readonly salt: Buffer;
}

export interface SealedBytes {
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** This costs about 128 MB of memory and half a second per attempt. */
export const SCRYPT_COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };
/** A key file that needs more memory than this is refused, because it could stop the machine that opens it. */
const MAX_MEMORY_BYTES = 2 ** 30;
const MAX_P = 16;

export const SALT_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

export const newSalt = (): Buffer => randomBytes(SALT_BYTES);

/** Returns the reason why these parameters are refused, or undefined. `weakest` is the minimum cost. */
export function scryptProblem({ n, r, p }: ScryptCost, weakest: ScryptCost): string | undefined {
  if (![n, r, p].every((each) => Number.isSafeInteger(each) && each > 0)) return 'are not whole numbers';
  if (n < 2 || !Number.isInteger(Math.log2(n))) return 'are not valid for scrypt';
  if (memoryBytes({ n, r, p }) > MAX_MEMORY_BYTES || p > MAX_P) return 'ask for too much memory or time';
  if (n < weakest.n || r < weakest.r || p < weakest.p) return 'are too weak';
  return undefined;
}

export function deriveSealingKey(passphrase: string, { salt, n, r, p }: ScryptParameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const maxmem = 2 * memoryBytes({ n, r, p });
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N: n, r, p, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

export function sealSecret(key: Buffer, secret: Uint8Array, beside: string): SealedBytes {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(beside));
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return { nonce, ciphertext, tag: cipher.getAuthTag() };
}

/** Returns undefined if the key is wrong or any part of the encrypted secret was changed. */
export function unsealSecret(
  key: Buffer,
  { nonce, ciphertext, tag }: SealedBytes,
  beside: string,
): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(beside));
  decipher.setAuthTag(tag);
  const opened = decipher.update(ciphertext);
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return undefined;
  } finally {
    opened.fill(0);
  }
}

const memoryBytes = ({ n, r, p }: ScryptCost): number => 128 * r * (n + p);
