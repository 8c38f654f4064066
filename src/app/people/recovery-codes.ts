// Recovery codes: 80 bits each, shown once and stored as hashes. Each signs in once; none of them releases money.
import { createHash } from 'node:crypto';
import type { PeopleDeps } from './people-deps.ts';

const COUNT = 10;
const LENGTH = 16;
/** 32 of them, so that one byte modulo 32 is one letter without bias. None looks like another. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

export function makeRecoveryCodes({ entropy }: Pick<PeopleDeps, 'entropy'>): readonly string[] {
  return Array.from({ length: COUNT }, () =>
    [...entropy.bytes(LENGTH)]
      .map((byte) => LETTERS[byte % LETTERS.length])
      .join('')
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  );
}

/** Codes are typed by people: case, dashes and blanks do not count, nor do letters that look like a digit. */
export function hashRecoveryCode(code: string): string {
  const plain = code
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return createHash('sha256').update(plain).digest('base64url');
}
