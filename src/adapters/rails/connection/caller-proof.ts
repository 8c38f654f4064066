// Checks that a call to the service comes from the right caller. Signatures are computed over the received bytes and compared
// in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RailMessage } from '../../../ports/rails/rail-events.ts';

const SHA512_HEX = /^[0-9a-f]{128}$/i;

export function isSameSecret(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Reads a header of 128 hexadecimal digits. Returns null if the header is missing or has another format. */
export function readSha512Header(headers: RailMessage['headers'], name: string): string | null {
  const given = headers[name];
  return typeof given === 'string' && SHA512_HEX.test(given) ? given.toLowerCase() : null;
}

export function hasValidHmac(
  { body, headers }: Pick<RailMessage, 'body' | 'headers'>,
  name: string,
  key: string,
): boolean {
  const given = readSha512Header(headers, name);
  return (
    key !== '' && given !== null && isSameSecret(given, createHmac('sha512', key).update(body).digest('hex'))
  );
}

export function isFromAddress(
  addresses: ReadonlySet<string>,
  { address }: Pick<RailMessage, 'address'>,
): boolean {
  return addresses.size === 0 || addresses.has(address);
}
