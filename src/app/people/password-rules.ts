// What a new password must be: long, and not one that is guessed first. No rule asks for kinds of characters: they make
// passwords harder to remember and no harder to guess.
import { fail, ok, type Result } from '../../domain/values/result.ts';

const SHORTEST = 12;
const LONGEST = 128;
/** With all but letters and digits left out, in lower case. */
const COMMON = new Set([
  '123456789012',
  '1234567890123',
  'adminadminadmin',
  'changemechangeme',
  'correcthorsebatterystaple',
  'iloveyouiloveyou',
  'letmeinletmein',
  'password1234',
  'password12345',
  'password123456',
  'passwordpassword',
  'qwertyuiop123',
  'qwertyuiopasdf',
  'welcome123456',
]);

export interface WeakPassword {
  readonly code: 'weak_password';
  readonly message: string;
}

/** The password in the form that is hashed. */
export function checkNewPassword(
  password: string,
  person: { readonly email: string; readonly name: string },
): Result<string, WeakPassword> {
  const length = [...password].length;
  if (length < SHORTEST || length > LONGEST || !password.isWellFormed())
    return weak(
      `password must have ${SHORTEST} to ${LONGEST} characters. A few words in a row are a good one.`,
    );
  const plain = lettersOf(password);
  if (new Set(plain).size < 4) return weak('password has too few different characters. Choose another one.');
  if (COMMON.has(plain)) return weak('password is one of the most used ones. Choose another one.');
  const own = [person.email, person.email.split('@')[0]!, person.name].map(lettersOf);
  if (own.some((text) => text.length > 0 && plain.replaceAll(/\d+$/g, '') === text.replaceAll(/\d+$/g, '')))
    return weak('password must not be your name or your e-mail address. Choose another one.');
  return ok(password);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function weak(message: string) {
  return fail({ code: 'weak_password', message } as const);
}
