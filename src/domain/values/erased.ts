// Handles erased personal data: the database stores a keyed hash, and everything else shows one fixed text. Such a hash is
// never treated as a name or a number.

export const ERASED = 'erased';

const ERASED_HASH = /^h1:[a-p]{64}$/;

/**
 * Formats the hash for the database: a prefix, then the 32 bytes as letters. Because only letters follow the prefix, the end of
 * the text never looks like an account number.
 */
export function formatErasedHash(bytes: Uint8Array): string {
  const letters = [...bytes].map((byte) => toLetter(byte >> 4) + toLetter(byte & 15));
  return `h1:${letters.join('')}`;
}

function toLetter(value: number): string {
  return String.fromCharCode(97 + value);
}

export function isErasedHash(text: string): boolean {
  return ERASED_HASH.test(text);
}

/** Whether a value was erased. An erased value carries no information, and no payout can go to it. */
export function isErased(text: string | null): boolean {
  return text === ERASED || (text !== null && isErasedHash(text));
}

/** Replaces the hash of every erased value by the fixed text, at any depth of the given value. */
export function hideErasedHashes(value: unknown): unknown {
  if (typeof value === 'string') return isErasedHash(value) ? ERASED : value;
  if (Array.isArray(value)) return value.map(hideErasedHashes);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideErasedHashes(each)]));
}
