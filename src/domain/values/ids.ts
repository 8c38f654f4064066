// Makes opaque identifiers with a prefix that sort by time as text. An identifier has 48 bits of milliseconds and 80 random
// bits, in Crockford base 32 with lower-case letters.

export type IdPrefix =
  | 'txn'
  | 'biz'
  | 'key'
  | 'vnd'
  | 'req'
  | 'crd'
  | 'dep'
  | 'mov'
  | 'ntc'
  | 'rpt'
  | 'cas'
  | 'prp'
  | 'per'
  | 'ses'
  | 'sup'
  | 'inv'
  | 'mal'
  | 'sgn'
  | 'evt'
  | 'whe'
  | 'whd'
  | 'rat'
  | 'quo'
  | 'nai'
  | 'rev'
  | 'stf';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
export const ID_RANDOM_BYTES = 10;
const BODY = /^[0-9a-hjkmnp-tv-z]{26}$/;

export function makeId(prefix: IdPrefix, timeMs: number, random: Uint8Array): string {
  return `${prefix}_${encodeTime(timeMs)}${encodeRandom(random)}`;
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && BODY.test(text.slice(prefix.length + 1));
}

export function idTimeMs(id: string): number {
  let timeMs = 0;
  for (const character of idBody(id).slice(0, TIME_LENGTH))
    timeMs = timeMs * 32 + ALPHABET.indexOf(character);
  return timeMs;
}

/** Returns a text that sorts before every id that was made at the given time or later. */
export function findIdLowerBound(prefix: IdPrefix, timeMs: number): string {
  return `${prefix}_${encodeTime(Math.max(0, timeMs))}`;
}

/** The part after the prefix, used in derived names such as a generated reference. */
export function idBody(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

function encodeTime(timeMs: number): string {
  let rest = timeMs;
  let text = '';
  for (let i = 0; i < TIME_LENGTH; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeRandom(random: Uint8Array): string {
  let text = '';
  // The random part consists of two groups of 40 bits, with eight characters each. No character contains bits of two groups.
  for (let group = 0; group < ID_RANDOM_BYTES; group += 5) {
    const high = random[group]! * 256 + random[group + 1]!;
    const low = random[group + 2]! * 65536 + random[group + 3]! * 256 + random[group + 4]!;
    const upper = (high << 4) | (low >>> 20);
    text += ALPHABET[(upper >>> 15) & 31];
    text += ALPHABET[(upper >>> 10) & 31];
    text += ALPHABET[(upper >>> 5) & 31];
    text += ALPHABET[upper & 31];
    text += ALPHABET[(low >>> 15) & 31];
    text += ALPHABET[(low >>> 10) & 31];
    text += ALPHABET[(low >>> 5) & 31];
    text += ALPHABET[low & 31];
  }
  return text;
}
