// What the pages before the sign-in send and read.
import { post } from '../../api/calls.ts';
import type { Factors } from '../../api/console-types.ts';
import { ApiFailure } from '../../api/failure.ts';
import { givePasskey, makePasskey } from '../../api/passkeys.ts';
import { useRead } from '../../api/reads.ts';

export function hasFactor({ totp, passkey, recovery_code }: Factors): boolean {
  return totp || passkey || recovery_code;
}

export function useSignInOptions() {
  return useRead('/sign-in/options').data;
}

/** Groups that people type codes in. */
export const digitsOf = (code: string): string => code.replaceAll(/\s/g, '');

export function giveCode(pending: string, kind: 'totp' | 'recovery_code', code: string) {
  return post('/sign-in/second-factor', { body: { pending, factor: { kind, code: digitsOf(code) } } });
}

export async function givePasskeyPending(pending: string) {
  const asked = await post('/sign-in/passkey-options', { body: { pending } });
  const answer = await givePasskey(asked.options);
  return post('/sign-in/second-factor', { body: { pending, factor: { kind: 'passkey', answer } } });
}

export function confirmFirstTotp(pending: string, code: string) {
  return post('/sign-in/totp/confirm', { body: { pending, code: digitsOf(code) } });
}

export async function addFirstPasskey(pending: string, name: string) {
  const { options } = await post('/sign-in/passkey', { body: { pending } });
  const answer = await makePasskey(options);
  return post('/sign-in/passkey/confirm', { body: { pending, answer, name } });
}

/** The pending sign-in is over: only the password leads on. */
export function isOver(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'sign_in_ended';
}
