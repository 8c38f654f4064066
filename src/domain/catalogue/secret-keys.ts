// Makes secret keys: `sk_live_…` or `sk_test_…` with 32 random base-62 characters (190 bits) and a 6-character CRC-32. The
// CRC-32 detects a mistyped key without a look-up, and secret scanners can find a leaked key.
import { crc32 } from 'node:zlib';
import type { Mode } from '../values/mode.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORM = /^sk_(live|test)_[0-9A-Za-z]{38}$/;

/** The scopes of a key. `full` allows all requests, and `read` allows only requests that change nothing. */
export const KEY_SCOPES = ['full', 'read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
export const KEY_NAME_MAX = 60;
export const UNNAMED_FULL_KEY: { readonly name: string; readonly scope: KeyScope } = {
  name: '',
  scope: 'full',
};

/** Biased random bytes are dropped, and this number of bytes is still enough for a key. */
export const SECRET_KEY_RANDOM_BYTES = 96;

export function makeSecretKey(mode: Mode, random: Uint8Array): string {
  let body = '';
  for (const byte of random) {
    if (body.length === RANDOM_LENGTH) break;
    if (byte < 248) body += ALPHABET[byte % 62]; // 248 = 4 × 62, so every character is equally likely
  }
  if (body.length < RANDOM_LENGTH) throw new Error('not enough randomness for a secret key');
  const stem = `sk_${mode}_${body}`;
  return stem + checksum(stem);
}

export function isWellFormedSecretKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** The part of a key that may be shown and logged. */
export function secretKeyHint(text: string): string {
  return text.slice(0, 12);
}

function checksum(stem: string): string {
  let rest = crc32(stem);
  let text = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
