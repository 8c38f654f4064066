// The cookies of the console: the session, the device token for the lock-out, and the current sign-in attempt at an identity
// provider. All are `__Host-` cookies: secure, sent only to this host, and not readable by scripts. The browser never sends the
// session or the device token with a request that another site caused. The browser sends the cookie of the sign-in attempt when
// the identity provider redirects it back, but this cookie gives no access.
import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION = '__Host-sliproad';
const DEVICE = '__Host-sliproad-device';
const ATTEMPT = '__Host-sliproad-provider';
/** The longest time for which browsers keep a cookie, in seconds. */
const DEVICE_MAX_AGE_S = 400 * 24 * 3_600;

const OF_THIS_HOST = 'Path=/; Secure; HttpOnly';
const ATTRIBUTES = `${OF_THIS_HOST}; SameSite=Strict`;
/**
 * The browser sends this cookie when another site navigates the window to this site. It does not send the cookie with any other
 * request that another site caused.
 */
const ATTEMPT_ATTRIBUTES = `${OF_THIS_HOST}; SameSite=Lax`;

/** Tokens of this service are base64url, so they need no escapes. Any other value is not one of these tokens. */
const TOKEN = /^[\w-]{1,200}$/;

function readCookie({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=');
    if (key === name) return TOKEN.test(value) ? value : null;
  }
  return null;
}

export function readSessionCookie(request: FastifyRequest): string | null {
  return readCookie(request, SESSION);
}

export function readDeviceCookie(request: FastifyRequest): string | null {
  return readCookie(request, DEVICE);
}

export function readAttemptCookie(request: FastifyRequest): string | null {
  return readCookie(request, ATTEMPT);
}

/** The session cookie lasts until the browser is closed. An idle session may end earlier. */
export function setSessionCookie(reply: FastifyReply, token: string): void {
  reply.header('set-cookie', `${SESSION}=${token}; ${ATTRIBUTES}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${SESSION}=; Max-Age=0; ${ATTRIBUTES}`);
}

export function setDeviceCookie(reply: FastifyReply, token: string): void {
  reply.header('set-cookie', `${DEVICE}=${token}; Max-Age=${DEVICE_MAX_AGE_S}; ${ATTRIBUTES}`);
}

export function setAttemptCookie(reply: FastifyReply, key: string, maxAgeMs: number): void {
  reply.header('set-cookie', `${ATTEMPT}=${key}; Max-Age=${maxAgeMs / 1_000}; ${ATTEMPT_ATTRIBUTES}`);
}

export function clearAttemptCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${ATTEMPT}=; Max-Age=0; ${ATTEMPT_ATTRIBUTES}`);
}
