// The rules of new passwords, with words for the person who chooses one.
import { ok, type Result } from '../../domain/values/result.ts';
import { checkNewPassword, PASSWORD_LENGTH, type PasswordRefusal } from '../people/password-rules.ts';
import { type Refused, refuse } from './membership-deps.ts';

const { min, max } = PASSWORD_LENGTH;
const WORDS: Readonly<Record<PasswordRefusal['code'], string>> = {
  password_too_short: `password must have at least ${min} characters. A few words in a row are a good one.`,
  password_too_long: `password must have at most ${max} characters.`,
  password_too_easy:
    'password is one that is guessed early: a common one, a pattern, or your own name or address. Choose another one.',
};

export function checkPassword(
  password: string,
  person: { readonly email: string; readonly name: string },
): Result<string, Refused<'weak_password'>> {
  const refusal = checkNewPassword(password, person);
  return refusal === undefined ? ok(password) : refuse('weak_password', WORDS[refusal.code]);
}
