// Erased personal data: a keyed hash in the database, and one fixed text everywhere else. A hash is never treated as a name or a
// number.

/** The text that readers see instead of an erased value. */
export const ERASED = 'erased';

const ERASED_HASH = /^h1:[a-p]{64}$/;

/**
 * The form in the database: a prefix, and 32 bytes as letters. Only letters follow the prefix, so the end of the text never looks
 * like an account number.
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

/** Whether a value was erased. Such a value carries no information, and no payout can go to it. */
export function isErased(text: string | null): boolean {
  return text === ERASED || (text !== null && isErasedHash(text));
}

/** A stored value as shown to readers, with hashes replaced at any depth. */
export function hideErasedHashes(value: unknown): unknown {
  if (typeof value === 'string') return isErasedHash(value) ? ERASED : value;
  if (Array.isArray(value)) return value.map(hideErasedHashes);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideErasedHashes(each)]));
}
