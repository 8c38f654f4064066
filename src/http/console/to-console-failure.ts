// The messages for refusals of use-cases that have only a code.
import type { FirstFactorRefusal } from '../../app/people/enrol-first-factor.ts';
import { type ChangePasswordRefusal, PASSWORD_LENGTH } from '../../app/people/password-rules.ts';
import type { EnrolRefusal, StepUpNeeded } from '../../app/people/second-factors.ts';
import type { SignInRefusal } from '../../app/people/sign-in.ts';
import type { StepUpRefusal } from '../../app/people/step-up.ts';
import { fail } from '../../domain/values/result.ts';
import type { ConsoleCode, ConsoleRefusal } from './refusals.ts';

type NamedRefusal =
  | SignInRefusal
  | EnrolRefusal
  | FirstFactorRefusal
  | StepUpNeeded
  | StepUpRefusal
  | ChangePasswordRefusal
  | { readonly code: 'last_second_factor' };

const { min, max } = PASSWORD_LENGTH;
const LENGTH = `password must have ${min} to ${max} characters. Several unrelated words work well.`;

const WORDS: Readonly<Record<NamedRefusal['code'], readonly [ConsoleCode, string]>> = {
  sign_in_failed: ['sign_in_failed', 'The address, the password or the second factor is wrong. Try again.'],
  sign_in_locked: [
    'sign_in_locked',
    'Too many failed attempts. Wait for the number of seconds in the retry-after header.',
  ],
  sign_in_ended: ['sign_in_ended', 'This sign-in has expired. Start again with the password.'],
  sign_in_busy: ['sign_in_busy', 'Too many sign-ins at once. Try again in a few seconds.'],
  busy: ['sign_in_busy', 'Too many passwords are being checked. Try again in a few seconds.'],
  wrong_code: ['wrong_code', 'The code is wrong or was already used. Wait for the next one and try again.'],
  wrong_answer: ['wrong_answer', 'The answer of the authenticator is wrong or came too late. Start again.'],
  wrong_factor: ['wrong_factor', 'The second factor is wrong or was already used. Wait for the next code.'],
  wrong_password: ['wrong_password', 'current is not your password. Try again.'],
  same_password: ['same_password', 'next is your current password. Choose another one.'],
  password_too_short: ['weak_password', LENGTH],
  password_too_long: ['weak_password', LENGTH],
  password_too_easy: [
    'weak_password',
    'password is easy to guess: it is a common one, a pattern, or your name or address. Choose another one.',
  ],
  no_totp_begun: ['no_totp_begun', 'There is no new authenticator to confirm. Start again.'],
  belongs_to_another: ['belongs_to_another', 'This authenticator belongs to another person. Use your own.'],
  has_second_factor: ['has_second_factor', 'You already have a second factor. Use it to sign in.'],
  last_second_factor: ['last_second_factor', 'This is your last second factor. Add another one first.'],
  step_up_needed: [
    'step_up_needed',
    'This needs a second factor first: POST /console/v1/step-ups. It is valid for five minutes.',
  ],
  locked: [
    'step_up_locked',
    'Too many failed attempts in this session. Wait a few minutes, or sign in again.',
  ],
};

/** `nowMs` is needed to compute how long a lock-out lasts. */
export function toConsoleFailure(
  error: NamedRefusal,
  nowMs: number,
): { readonly ok: false; readonly error: ConsoleRefusal } {
  const [code, message] = WORDS[error.code];
  if (!('untilMs' in error)) return fail({ code, message });
  const retryAfterS = Math.max(1, Math.ceil((error.untilMs - nowMs) / 1_000));
  return fail({ code, message, retryAfterS });
}
