// The cookies of the console: the session, the device token for the lock-out, and the current sign-in attempt at an identity
// provider. All are `__Host-` cookies: secure, sent only to this host, and not readable by scripts. The browser never sends the
// first two with a request that another site caused. The third gives no access. The browser must send it when the provider
// redirects back to this site.
import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION = '__Host-sliproad';
const DEVICE = '__Host-sliproad-device';
const ATTEMPT = '__Host-sliproad-provider';
/** The longest time for which browsers keep a cookie. */
const DEVICE_MAX_AGE_S = 400 * 24 * 3_600;

const OF_THIS_HOST = 'Path=/; Secure; HttpOnly';
const ATTRIBUTES = `${OF_THIS_HOST}; SameSite=Strict`;
/**
 * The browser sends this cookie when another site navigates the window to this site, and with no other request from another site.
 */
const ATTEMPT_ATTRIBUTES = `${OF_THIS_HOST}; SameSite=Lax`;

/** Our tokens are base64url, so they need no escapes. Any other value is not one of our tokens. */
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

/** The cookie lasts until the browser is closed. An idle session may end earlier. */
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
