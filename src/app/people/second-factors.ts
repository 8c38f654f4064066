// Manages the second factors of a signed-in person. A change needs a step-up for the person's own id, because an open session
// must not be enough. One authenticator belongs to one person, and a person keeps at least one second factor.
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../ports/people/credentials.ts';
import type { Enrolment, EnrolmentOutcome } from '../../ports/people/second-factors.ts';
import { findTotpStep, hashRecoveryCode, makeRecoveryCodes } from './accept-second-factor.ts';
import { type PeopleDeps, totpPurpose } from './people-deps.ts';
import type { SignedInSession } from './sessions.ts';
import { findFreshStepUp, storeStepUpChallenge, takeStepUpChallenge } from './step-up.ts';

export type EnrolRefusal =
  | { readonly code: 'wrong_code' }
  | { readonly code: 'no_totp_begun' }
  /** The response of the authenticator does not match the challenge, or came too late. */
  | { readonly code: 'wrong_answer' }
  | { readonly code: 'belongs_to_another' };

export type StepUpNeeded = { readonly code: 'step_up_needed' };

export interface TotpSetUp {
  /** The secret in base 32. */
  readonly secret: string;
  readonly uri: string;
}

export async function beginTotp(
  deps: PeopleDeps,
  signedIn: SignedInSession,
): Promise<Result<TotpSetUp, StepUpNeeded>> {
  if (!(await hasFreshStepUp(deps, signedIn))) return fail({ code: 'step_up_needed' });
  return ok(await startTotp(deps, signedIn.person.id));
}

export async function startTotp(deps: PeopleDeps, personId: string): Promise<TotpSetUp> {
  const { email } = (await deps.people.find(personId))!;
  const secret = deps.totp.newSecret();
  const sealed = deps.box.seal(secret, totpPurpose(personId));
  await deps.signIn.setTotp(personId, sealed, deps.box.fingerprint(secret));
  return { secret: deps.totp.secretText(secret), uri: deps.totp.uri(secret, email) };
}

/**
 * Replaces the older authenticator by the new one. This needs a step-up, too. A person who saw an abandoned QR code must not be
 * able to finish the set-up from an open session.
 */
export async function confirmTotp(
  deps: PeopleDeps,
  signedIn: SignedInSession,
  code: string,
): Promise<Result<EnrolmentOutcome, EnrolRefusal | StepUpNeeded>> {
  if (!(await hasFreshStepUp(deps, signedIn))) return fail({ code: 'step_up_needed' });
  return enrolTotp(deps, signedIn.person.id, code, FURTHER_FACTOR);
}

/** A signed-in person already has a second factor. The service created the recovery codes together with the first one. */
const FURTHER_FACTOR: Enrolment = { onlyFirst: false, recoveryHashes: [] };

export async function enrolTotp(
  deps: PeopleDeps,
  personId: string,
  code: string,
  enrolment: Enrolment,
): Promise<Result<EnrolmentOutcome, EnrolRefusal>> {
  const begun = await deps.signIn.totpOf(personId, 'begun');
  if (begun === undefined) return fail({ code: 'no_totp_begun' });
  const step = findTotpStep(deps, personId, begun.sealed, code);
  if (step === undefined) return fail({ code: 'wrong_code' });
  const doing = { actor: personId, atMs: deps.clock.now() };
  const enrolled = await deps.signIn.confirmTotp(personId, begun.fingerprint, step, enrolment, doing);
  if (enrolled === 'belongs_to_another') return fail({ code: enrolled });
  return enrolled === 'not_found' ? fail({ code: 'no_totp_begun' }) : ok(enrolled);
}

const NEW_PASSKEY = 'new passkey';

export async function beginPasskey(
  deps: PeopleDeps,
  signedIn: SignedInSession,
): Promise<Result<object, StepUpNeeded>> {
  if (!(await hasFreshStepUp(deps, signedIn))) return fail({ code: 'step_up_needed' });
  const { id, email, name } = signedIn.person;
  const existing = (await deps.signIn.passkeysOf(id)).map(({ credentialId }) => credentialId);
  const options = await deps.passkeys.registrationOptions({ id, email, name, existing });
  const kept = await storeStepUpChallenge(deps, signedIn, NEW_PASSKEY, options.challenge);
  return kept ? ok(options) : fail({ code: 'step_up_needed' });
}

/**
 * The addition of a passkey needs a step-up, because a signed-in person can request a challenge for any subject, including this
 * one.
 */
export async function addPasskey(
  deps: PeopleDeps,
  signedIn: SignedInSession,
  answer: PasskeyAnswer,
  name: string,
): Promise<Result<EnrolmentOutcome, EnrolRefusal | StepUpNeeded>> {
  if (!(await hasFreshStepUp(deps, signedIn))) return fail({ code: 'step_up_needed' });
  const challenge = await takeStepUpChallenge(deps, signedIn, NEW_PASSKEY);
  const personId = signedIn.person.id;
  const kept = await enrolPasskey(deps, { personId, answer, name, challenge }, FURTHER_FACTOR);
  if (kept.ok) await deps.signIn.forgetStepUpTries(signedIn.session.id, NEW_PASSKEY);
  return kept;
}

export async function enrolPasskey(
  deps: PeopleDeps,
  given: {
    readonly personId: string;
    readonly answer: PasskeyAnswer;
    readonly name: string;
    readonly challenge: string | null;
  },
  enrolment: Enrolment,
): Promise<Result<EnrolmentOutcome, EnrolRefusal>> {
  const { personId, answer, challenge } = given;
  const made = challenge === null ? undefined : await deps.passkeys.verifyRegistration(answer, challenge);
  if (made === undefined) return fail({ code: 'wrong_answer' });
  const name = given.name.trim().slice(0, 60) || 'Passkey';
  const doing = { actor: personId, atMs: deps.clock.now() };
  const enrolled = await deps.signIn.addPasskey({ ...made, personId, name }, enrolment, doing);
  return enrolled === 'belongs_to_another' ? fail({ code: enrolled }) : ok(enrolled);
}

export async function removePasskey(
  deps: PeopleDeps,
  signedIn: SignedInSession,
  credentialId: string,
): Promise<Result<'removed', StepUpNeeded | { readonly code: 'not_found' | 'last_second_factor' }>> {
  if (!(await hasFreshStepUp(deps, signedIn))) return fail({ code: 'step_up_needed' });
  const { id } = signedIn.person;
  const doing = { actor: id, atMs: deps.clock.now() };
  const removed = await deps.signIn.removePasskey(id, credentialId, doing);
  return removed === 'removed' ? ok(removed) : fail({ code: removed });
}

/** Makes new recovery codes. The previous codes become invalid. */
export async function replaceRecoveryCodes(
  deps: PeopleDeps,
  signedIn: SignedInSession,
): Promise<Result<readonly string[], StepUpNeeded>> {
  if (!(await hasFreshStepUp(deps, signedIn))) return fail({ code: 'step_up_needed' });
  const { id } = signedIn.person;
  const codes = makeRecoveryCodes(deps);
  const doing = { actor: id, atMs: deps.clock.now() };
  await deps.signIn.setRecoveryCodes(id, codes.map(hashRecoveryCode), doing);
  return ok(codes);
}

async function hasFreshStepUp(deps: PeopleDeps, signedIn: SignedInSession): Promise<boolean> {
  return (await findFreshStepUp(deps, signedIn, signedIn.person.id)) !== undefined;
}
