// Access tokens of Monnify. A token is signed and contains its expiry. Therefore a token is still valid after a restart, and
// the bank refuses an expired token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BankRequest, LocalBankAnswer } from '../http/server.ts';
import { monnifyFailure, monnifySuccess } from './answers.ts';

export interface MonnifySecrets {
  readonly apiKey: string;
  readonly secretKey: string;
}

export const TOKEN_SECONDS = 3_567;

export function logIn(
  { apiKey, secretKey }: MonnifySecrets,
  { headers }: BankRequest,
  now: number,
): LocalBankAnswer {
  const expected = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
  if (headers.authorization !== expected) return monnifyFailure(401, '99', 'Invalid API Key or Secret Key');
  const claims = { client_id: apiKey, exp: Math.floor(now / 1_000) + TOKEN_SECONDS, jti: String(now) };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return monnifySuccess({
    accessToken: `${payload}.${signPayload(secretKey, payload)}`,
    expiresIn: TOKEN_SECONDS,
  });
}

/** Undefined means that the token is valid. */
export function refuseToken(
  { secretKey }: MonnifySecrets,
  { headers }: BankRequest,
  now: number,
): LocalBankAnswer | undefined {
  const [payload = '', signature = ''] = (headers.authorization ?? '').replace(/^Bearer /i, '').split('.');
  if (!isSame(signature, signPayload(secretKey, payload)))
    return unauthorizedAnswer('Cannot convert access token to JSON');
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number };
  return exp * 1_000 > now ? undefined : unauthorizedAnswer('Access token expired');
}

export function unauthorizedAnswer(error_description: string): LocalBankAnswer {
  return { status: 401, body: { error: 'invalid_token', error_description } };
}

const signPayload = (secret: string, payload: string): string =>
  createHmac('sha256', secret).update(payload).digest('base64url');

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
