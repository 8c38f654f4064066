// The cookies of the console: the session, the device token that the lock-out counts by, and the attempt to sign in through an
// identity provider. All are `__Host-` cookies: secure, of this host alone, never read by a script. The first two are never sent
// with a request that another site caused; the third opens nothing, and must come along when the provider sends the browser back.
import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION = '__Host-sliproad';
const DEVICE = '__Host-sliproad-device';
const ATTEMPT = '__Host-sliproad-provider';
/** Browsers keep no cookie longer. */
const DEVICE_MAX_AGE_S = 400 * 24 * 3_600;

const OF_THIS_HOST = 'Path=/; Secure; HttpOnly';
const ATTRIBUTES = `${OF_THIS_HOST}; SameSite=Strict`;
/** Sent when another site leads the window to this one, and with nothing else of another site. */
const ATTEMPT_ATTRIBUTES = `${OF_THIS_HOST}; SameSite=Lax`;

/** Tokens are base64url: nothing in them needs an escape, and nothing else is one of ours. */
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

/** Until the browser is closed; the session itself ends earlier when it is idle. */
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
