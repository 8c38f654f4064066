// The requests of the pages before the sign-in, and the steps after a session has started or ended.

import { useRouter } from '@tanstack/react-router';
import { post } from '../../api/calls.ts';
import { forgetCsrfToken } from '../../api/client.ts';
import type { Factors } from '../../api/console-types.ts';
import { ApiFailure } from '../../api/failure.ts';
import { authenticateWithPasskey, createPasskey } from '../../api/passkeys.ts';
import { queryClient } from '../../api/query.ts';
import { useRead } from '../../api/reads.ts';
import { homePathOf, readSession, SESSION_KEY, type Session } from '../../api/session.ts';

export function hasSecondFactor({ totp, passkey, recovery_code }: Factors): boolean {
  return totp || passkey || recovery_code;
}

export function useSignInOptions() {
  return useRead('/sign-in/options').data;
}

export const digitsOf = (code: string): string => code.replaceAll(/\s/g, '');

export function signInWithCode(pending: string, kind: 'totp' | 'recovery_code', code: string) {
  return post('/sign-in/second-factor', { body: { pending, factor: { kind, code: digitsOf(code) } } });
}

export async function signInWithPasskey(pending: string) {
  const asked = await post('/sign-in/passkey-options', { body: { pending } });
  const answer = await authenticateWithPasskey(asked.options);
  return post('/sign-in/second-factor', { body: { pending, factor: { kind: 'passkey', answer } } });
}

export function confirmFirstTotp(pending: string, code: string) {
  return post('/sign-in/totp/confirm', { body: { pending, code: digitsOf(code) } });
}

export async function addFirstPasskey(pending: string, name: string) {
  const { options } = await post('/sign-in/passkey', { body: { pending } });
  const answer = await createPasskey(options);
  return post('/sign-in/passkey/confirm', { body: { pending, answer, name } });
}

/** True means that the started sign-in has ended. Then the person must start again with the password. */
function isOver(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && error.code === 'sign_in_ended';
}

export async function unlessOver(
  onOver: (message: string) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOver(error)) throw error;
    onOver(error.message);
  }
}

/** Allows only a page of this application, so that a URL from outside cannot redirect to another site (threat 80). */
export function safeNextPath(next: string | undefined): string | null {
  if (!next?.startsWith('/app/')) return null;
  const url = new URL(next, window.location.origin);
  if (url.origin !== window.location.origin || !/^\/app\/(?!.*\/\/)/.test(url.pathname)) return null;
  return url.pathname.startsWith('/app/sign-in') ? null : url.pathname + url.search;
}

/**
 * Checks that the browser stores the secure session cookie. If it does not, the person would be signed out right after the
 * sign-in.
 */
async function requireKeptSession(): Promise<Session> {
  forgetCsrfToken();
  const session = await readSession();
  if (session !== null) return session;
  throw new ApiFailure(401, {
    code: 'no_session_kept',
    message:
      'This browser did not keep the session. Use HTTPS, or localhost with Chrome or Firefox, and allow cookies.',
  });
}

function forgetPerson(session: Session | null): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== SESSION_KEY[1] });
  queryClient.setQueryData(SESSION_KEY, session);
}

export function useEnterSession(): (to?: string | ((session: Session) => string) | null) => Promise<void> {
  const { history } = useRouter();
  return async (to = null) => {
    const session = await requireKeptSession();
    forgetPerson(session);
    history.replace(typeof to === 'function' ? to(session) : (to ?? homePathOf(session)));
  };
}

export function useLeaveSession(): (to?: string) => void {
  const { history } = useRouter();
  return (to = '/app/sign-in') => {
    forgetCsrfToken();
    forgetPerson(null);
    history.push(to);
  };
}
