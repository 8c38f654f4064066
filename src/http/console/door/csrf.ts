// The CSRF token: derived from the session's id under the key of stored secrets. It stays the same when the session's own
// token is replaced, is of no use in another session, and is never a cookie (threat 80).
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../../ports/people/credentials.ts';

export const CSRF_HEADER = 'x-csrf-token';

export function csrfToken(box: Pick<SecretBox, 'fingerprint'>, sessionId: string): string {
  return box.fingerprint(Buffer.from(`csrf ${sessionId}`));
}

export function isCsrfToken(
  box: Pick<SecretBox, 'fingerprint'>,
  sessionId: string,
  given: string | readonly string[] | undefined,
): boolean {
  if (typeof given !== 'string') return false;
  const [is, wanted] = [Buffer.from(given), Buffer.from(csrfToken(box, sessionId))];
  return is.length === wanted.length && timingSafeEqual(is, wanted);
}
