// What a new password must be. Length counts; mixtures of characters are not asked for, because people meet them in the same
// few ways. What a guesser tries first is refused.
import { COMMON_PASSWORDS } from './common-passwords.ts';

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

export type PasswordRefusal =
  | { readonly code: 'password_too_short' | 'password_too_long' }
  /** It is the person's name or address, a common password, or one pattern over and over. */
  | { readonly code: 'password_too_easy' };

/** Undefined: the password may be used. Characters are counted as people see them, after Unicode's NFKC. */
export function checkNewPassword(
  password: string,
  person: { readonly email: string; readonly name: string },
): PasswordRefusal | undefined {
  const text = password.normalize('NFKC');
  const { length } = [...text];
  if (length < PASSWORD_LENGTH.min) return { code: 'password_too_short' };
  if (length > PASSWORD_LENGTH.max) return { code: 'password_too_long' };
  return isEasy(plain(text), person) ? { code: 'password_too_easy' } : undefined;
}

/** Without case and without the marks that people add to the ends of a word. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s._@!?#$*+-]/g, '');
}

function isEasy(text: string, { email, name }: { readonly email: string; readonly name: string }): boolean {
  const own = [email, email.split('@')[0]!, name].map((each) => plain(each.normalize('NFKC')));
  // A word of its own and digits around it is the word.
  const word = text.replaceAll(/^\d+|\d+$/g, '');
  if (own.some((each) => each.length >= 3 && (text === each || word === each))) return true;
  if (COMMON_PASSWORDS.has(text) || COMMON_PASSWORDS.has(word)) return true;
  return isRepeated(text) || isRow(text);
}

/** One short part again and again: aaaaaaaaaaaa, abcabcabcabc, passwordpassword. */
function isRepeated(text: string): boolean {
  return /^(.{1,10})\1+$/.test(text);
}

/** Characters in a row, up or down: abcdefghijkl, 123456789012. */
function isRow(text: string): boolean {
  const codes = [...text].map((each) => each.codePointAt(0)!);
  return [1, -1].some((step) =>
    codes.every((code, index) => index === 0 || code - codes[index - 1]! === step || text[index] === '0'),
  );
}
