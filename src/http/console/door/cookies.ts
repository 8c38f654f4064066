// The two cookies of the console: the session, and the device token that the lock-out counts by. Both are `__Host-` cookies:
// secure, of this host alone, never read by a script, never sent with a request that another site caused.
import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION = '__Host-sliproad';
const DEVICE = '__Host-sliproad-device';
/** Browsers keep no cookie longer. */
const DEVICE_MAX_AGE_S = 400 * 24 * 3_600;

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Tokens are base64url: nothing in them needs an escape, and nothing else is one of ours. */
const TOKEN = /^[\w-]{1,200}$/;

function read({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=');
    if (key === name) return TOKEN.test(value) ? value : null;
  }
  return null;
}

export function sessionCookie(request: FastifyRequest): string | null {
  return read(request, SESSION);
}

export function deviceCookie(request: FastifyRequest): string | null {
  return read(request, DEVICE);
}

/** Until the browser is closed; the session itself ends earlier when it is idle. */
export function keepSession(reply: FastifyReply, token: string): void {
  reply.header('set-cookie', `${SESSION}=${token}; ${ATTRIBUTES}`);
}

export function forgetSession(reply: FastifyReply): void {
  reply.header('set-cookie', `${SESSION}=; Max-Age=0; ${ATTRIBUTES}`);
}

export function keepDevice(reply: FastifyReply, token: string): void {
  reply.header('set-cookie', `${DEVICE}=${token}; Max-Age=${DEVICE_MAX_AGE_S}; ${ATTRIBUTES}`);
}
