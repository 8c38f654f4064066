// Contains the rules for a new password. A password needs a minimum length but no mix of characters, because people add special
// characters in the same few ways. The service refuses passwords that attackers try first.
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { countTry, sessionTriesKey } from './lock-out.ts';
import type { PeopleDeps } from './people-deps.ts';
import type { SignedInSession } from './sessions.ts';
import { verifyPassword } from './sign-in.ts';

/**
 * The passwords that attackers try first. They are long enough for the length rule, alone or with digits at their ends. They
 * are in lower case and without special characters, because this file compares them in that form.
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password passwords passw0rd p4ssw0rd p4ssword pass word mypassword thepassword newpassword changeme changemenow
  letmein letmeinnow welcome welcomeback welcometo iloveyou iloveyouso iloveyoutoo trustno1 adminadmin administrator
  administration admin root superuser test tester testing testtest qwerty qwertyuiop qwertyuiopas qwertyuiopasdf
  qwertyqwerty qwerty123456 asdfghjkl asdfghjklzxc zxcvbnm zxcvbnmasdfg zxcvbnmzxcvbnm 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
  1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv qazwsx qazwsxedc qazwsxedcrfv zaq12wsx abc abcd abcdef monkey dragon sunshine
  princess football baseball basketball superman batman starwars master shadow michael jesus jesuschrist godisgood
  godisgreat thankgod blessed blessing blessings nigeria lagos abuja naira stablecoin sliproad company business security
  secret secrets topsecret correcthorsebatterystaple whatever computer internet unknown default summer winter spring
  autumn january february march april june july august september october november december monday friday sunday
  freedom forever family mother father manchester manutd manchesterunited arsenal chelsea liverpool barcelona realmadrid`.split(
    /\s+/,
  ),
);

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

export type PasswordRefusal =
  | { readonly code: 'password_too_short' | 'password_too_long' }
  /** The password is the person's name or address, a common password, or a repeated pattern. */
  | { readonly code: 'password_too_easy' };

/**
 * Returns undefined if the person may use the password. Characters are counted as people see them, after NFKC normalisation.
 */
export function checkNewPassword(
  password: string,
  person: { readonly email: string; readonly name: string },
): PasswordRefusal | undefined {
  const text = password.normalize('NFKC');
  const { length } = [...text];
  if (length < PASSWORD_LENGTH.min) return { code: 'password_too_short' };
  if (length > PASSWORD_LENGTH.max) return { code: 'password_too_long' };
  return isEasyPassword(stripMarks(text), person) ? { code: 'password_too_easy' } : undefined;
}

function stripMarks(text: string): string {
  return text.toLowerCase().replaceAll(/[\s._@!?#$*+-]/g, '');
}

function isEasyPassword(
  text: string,
  { email, name }: { readonly email: string; readonly name: string },
): boolean {
  const own = [email, email.split('@')[0]!, name].map((each) => stripMarks(each.normalize('NFKC')));
  const word = text.replaceAll(/^\d+|\d+$/g, '');
  if (own.some((each) => each.length >= 3 && (text === each || word === each))) return true;
  if (COMMON_PASSWORDS.has(text) || COMMON_PASSWORDS.has(word)) return true;
  return isRepeatedPattern(text) || isCharacterSequence(text);
}

/** A repeated pattern is a short part that repeats, for example aaaaaaaaaaaa, abcabcabcabc or passwordpassword. */
function isRepeatedPattern(text: string): boolean {
  return /^(.{1,10})\1+$/.test(text);
}

function isCharacterSequence(text: string): boolean {
  const codes = [...text].map((each) => each.codePointAt(0)!);
  return [1, -1].some((step) =>
    codes.every((code, index) => index === 0 || code - codes[index - 1]! === step || text[index] === '0'),
  );
}

/**
 * A person changes their own password. This ends every session and every pending sign-in of the person, including this session.
 * So it signs out anyone else who is signed in with this account (threat 81).
 */
export type ChangePasswordRefusal =
  | PasswordRefusal
  | { readonly code: 'wrong_password' | 'same_password' | 'locked' | 'busy' };

export async function changePassword(
  deps: PeopleDeps,
  { session, person }: SignedInSession,
  { current, next }: { readonly current: string; readonly next: string },
): Promise<Result<'changed', ChangePasswordRefusal>> {
  const refusal = checkNewPassword(next, person);
  if (refusal !== undefined) return fail(refusal);
  if (current.normalize('NFKC') === next.normalize('NFKC')) return fail({ code: 'same_password' });
  // A person who finds an open session of a person else must not be able to guess the password in it.
  if ((await countTry(deps, sessionTriesKey(session.id))) !== null) return fail({ code: 'locked' });
  const known = await deps.signIn.passwordOf(person.email);
  const right = await verifyPassword(deps, current, known?.stored ?? null);
  if (right === 'busy') return fail({ code: 'busy' });
  if (!right) return fail({ code: 'wrong_password' });
  const stored = await deps.passwords.hash(next);
  await deps.signIn.setPassword(person.id, stored, { actor: person.id, atMs: deps.clock.now() });
  await deps.signIn.forgetTries([sessionTriesKey(session.id)]);
  return ok('changed');
}
