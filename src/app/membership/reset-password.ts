// Sets a new password through a link in a mail. A request does the same work and gets the same response for every address; a
// worker looks the address up later. The link only sets the password, and the person still needs the second factor to sign in.
import { serviceActor } from '../../domain/people/actor.ts';
import { normaliseEmail } from '../../domain/people/names.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { NewReset } from '../../ports/people/membership.ts';
import type { SecondFactors } from '../../ports/people/second-factors.ts';
import { openPendingSignInByMail } from '../people/open-session.ts';
import { checkNewPassword, PASSWORD_LENGTH, type PasswordRefusal } from '../people/password-rules.ts';
import { hashToken, newToken } from '../people/people-deps.ts';
import { type MailText, passwordChangedText, passwordResetText } from './mail-texts.ts';
import {
  type MembershipDeps,
  type MembershipRefusal,
  makeAuditStamp,
  newMail,
  refuse,
} from './membership-deps.ts';

const { min, max } = PASSWORD_LENGTH;
const PASSWORD_MESSAGES: Readonly<Record<PasswordRefusal['code'], string>> = {
  password_too_short: `password must have at least ${min} characters. Several unrelated words work well.`,
  password_too_long: `password must have at most ${max} characters.`,
  password_too_easy:
    'password is easy to guess: it is common, a pattern, or your own name or address. Choose another one.',
};

export function checkChosenPassword(
  password: string,
  person: { readonly email: string; readonly name: string },
): Result<string, MembershipRefusal<'weak_password'>> {
  const refusal = checkNewPassword(password, person);
  return refusal === undefined ? ok(password) : refuse('weak_password', PASSWORD_MESSAGES[refusal.code]);
}

export const RESET_LINK_MS = 3_600_000;
/** An address gets at most one mail in this time, even after many requests. */
const RESET_EVERY_MS = 60_000;
const ASKS_AT_ONCE = 100;

export async function requestPasswordReset(deps: MembershipDeps, email: string): Promise<void> {
  // The service also stores an invalid address, as one row, so that the request takes as long as any other request.
  await deps.resets.ask(normaliseEmail(email) ?? '', deps.clock.now());
}

/** Mails a link to each requested address that belongs to a person who may sign in. Returns the number of mails. */
export async function answerResetRequests(deps: MembershipDeps): Promise<number> {
  let made = 0;
  for (const email of await deps.resets.listAsks(ASKS_AT_ONCE)) {
    const doing = makeAuditStamp(deps, serviceActor('reset-password'));
    const sinceMs = doing.atMs - RESET_EVERY_MS;
    if (await deps.resets.answerAsk(email, newReset(deps, email, passwordResetText), sinceMs, doing)) made++;
  }
  return made;
}

interface PendingAfterReset {
  readonly pending: string;
  readonly factors: SecondFactors;
}

/**
 * Sets a new password and opens a pending sign-in, which still needs the second factor. The service counts wrong tries of the
 * second factor for each person. A new password does not clear this count, so it allows no extra guesses.
 */
export async function setNewPassword(
  deps: MembershipDeps,
  given: { readonly token: string; readonly password: string },
): Promise<Result<PendingAfterReset, MembershipRefusal<'reset_ended' | 'weak_password'>>> {
  const tokenHash = hashToken(given.token);
  const person = await deps.resets.find(tokenHash, deps.clock.now());
  if (person === undefined) return refuseEndedReset();
  const password = checkChosenPassword(given.password, person);
  if (!password.ok) return password;
  const stored = await deps.passwords.hash(password.value);
  const { personId, email } = person;
  const mail = newMail(deps, {
    about: personId,
    recipient: email,
    linkEndsAtMs: null,
    ...passwordChangedText(),
  });
  const used = await deps.resets.use(tokenHash, stored, mail, makeAuditStamp(deps, personId));
  const pending = used ? await openPendingSignInByMail(deps, personId) : undefined;
  if (pending === undefined) return refuseEndedReset();
  return ok({ pending, factors: await deps.signIn.secondFactorsOf(personId) });
}

export function newReset(
  deps: MembershipDeps,
  email: string,
  text: (baseUrl: string, token: string) => MailText,
): NewReset {
  const token = newToken(deps);
  const expiresAtMs = deps.clock.now() + RESET_LINK_MS;
  const mail = newMail(deps, {
    about: email,
    recipient: email,
    linkEndsAtMs: expiresAtMs,
    ...text(deps.publicBaseUrl, token),
  });
  return { tokenHash: hashToken(token), expiresAtMs, mail };
}

const refuseEndedReset = () =>
  refuse('reset_ended', 'This link is no longer valid. Request a new password on the sign-in page.');
