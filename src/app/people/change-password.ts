// A person changes their own password. Every session and every pending sign-in ends with it, this session included: whoever
// else was signed in is out (threat 81).
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { countTry, sessionTries } from './lock-out.ts';
import { checkNewPassword, type PasswordRefusal } from './password-rules.ts';
import type { PeopleDeps } from './people-deps.ts';
import type { SignedIn } from './sessions.ts';
import { isRightPassword } from './sign-in.ts';

export type ChangePasswordRefusal =
  | PasswordRefusal
  | { readonly code: 'wrong_password' | 'same_password' | 'locked' | 'busy' };

export async function changePassword(
  deps: PeopleDeps,
  { session, person }: SignedIn,
  { current, next }: { readonly current: string; readonly next: string },
): Promise<Result<'changed', ChangePasswordRefusal>> {
  const refusal = checkNewPassword(next, person);
  if (refusal !== undefined) return fail(refusal);
  if (current.normalize('NFKC') === next.normalize('NFKC')) return fail({ code: 'same_password' });
  // A session that was left open is no place to guess the password.
  if ((await countTry(deps, sessionTries(session.id))) !== null) return fail({ code: 'locked' });
  const known = await deps.signIn.passwordOf(person.email);
  const right = await isRightPassword(deps, current, known?.stored ?? null);
  if (right === 'busy') return fail({ code: 'busy' });
  if (!right) return fail({ code: 'wrong_password' });
  const stored = await deps.passwords.hash(next);
  await deps.signIn.setPassword(person.id, stored, { actor: person.id, atMs: deps.clock.now() });
  await deps.signIn.forgetTries([sessionTries(session.id)]);
  return ok('changed');
}
