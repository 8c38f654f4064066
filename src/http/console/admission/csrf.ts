// Derives the CSRF token from the id of the session with the key for stored secrets. The token stays the same when the session
// token is replaced, is valid only in its session, and is never a cookie (threat 80).
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SecretBox } from '../../../ports/people/credentials.ts';

export const CSRF_HEADER = 'x-csrf-token';

export function deriveCsrfToken(box: Pick<SecretBox, 'fingerprint'>, sessionId: string): string {
  return box.fingerprint(Buffer.from(`csrf ${sessionId}`));
}

export function isCsrfToken(
  box: Pick<SecretBox, 'fingerprint'>,
  sessionId: string,
  given: string | readonly string[] | undefined,
): boolean {
  if (typeof given !== 'string') return false;
  const [is, wanted] = [Buffer.from(given), Buffer.from(deriveCsrfToken(box, sessionId))];
  return is.length === wanted.length && timingSafeEqual(is, wanted);
}

/**
 * Checks that requests that change something come from our own pages (threat 80). The browser names the origin of the page in
 * the Origin header, or states in Sec-Fetch-Site that the page and the service have the same origin. A request with neither
 * header is refused.
 */
export interface OwnOrigin {
  /** The origin of our own pages, from PUBLIC_BASE_URL, or from HOST, PORT and TLS if PUBLIC_BASE_URL is not set. */
  readonly origin: string;
  /**
   * Whether the local host names of this machine are also allowed, on any port. This is the case if PUBLIC_BASE_URL is not set.
   */
  readonly alsoLocal: boolean;
}

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

export function isOwnOrigin(headers: IncomingHttpHeaders, own: OwnOrigin): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (origin === undefined) return site === 'same-origin';
  if (origin === own.origin) return true;
  if (!own.alsoLocal || !LOCAL.test(host)) return false;
  // The origin must have the host name and the port of the request, because another service on this machine has another port.
  return origin === `${new URL(own.origin).protocol}//${host}`;
}
