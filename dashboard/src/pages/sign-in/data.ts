// What the pages before the sign-in send and read.
import { post } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { givePasskey, makePasskey, type PasskeyOptions } from '../../api/passkeys.ts';
import { useRead } from '../../api/query.ts';

export interface Factors {
  readonly totp: boolean;
  readonly passkey: boolean;
  readonly recovery_code: boolean;
}

/** The password was right, or the mailbox was proved: a second factor comes next. */
export interface Pending {
  readonly pending: string;
  readonly factors: Factors;
}

export function hasFactor({ totp, passkey, recovery_code }: Factors): boolean {
  return totp || passkey || recovery_code;
}

export interface SignInOptions {
  readonly provider_url: string | null;
  readonly sandbox: boolean;
}

export function useSignInOptions(): SignInOptions | undefined {
  return useRead<SignInOptions>('/sign-in/options').data;
}

/** Groups that people type codes in. */
export const digitsOf = (code: string): string => code.replaceAll(/\s/g, '');

export function giveCode(pending: string, kind: 'totp' | 'recovery_code', code: string) {
  return post('/sign-in/second-factor', { pending, factor: { kind, code: digitsOf(code) } });
}

export async function givePasskeyPending(pending: string) {
  const asked = await post<{ options: PasskeyOptions }>('/sign-in/passkey-options', { pending });
  const answer = await givePasskey(asked.options);
  return post('/sign-in/second-factor', { pending, factor: { kind: 'passkey', answer } });
}

export interface FirstFactorAnswer {
  readonly recovery_codes: readonly string[];
}

export function confirmFirstTotp(pending: string, code: string) {
  return post<FirstFactorAnswer>('/sign-in/totp/confirm', { pending, code: digitsOf(code) });
}

export async function addFirstPasskey(pending: string, name: string) {
  const { options } = await post<{ options: PasskeyOptions }>('/sign-in/passkey', { pending });
  const answer = await makePasskey(options);
  return post<FirstFactorAnswer>('/sign-in/passkey/confirm', { pending, answer, name });
}

/** The pending sign-in is over: only the password leads on. */
export function isOver(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'sign_in_ended';
}
