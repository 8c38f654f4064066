// Signs people in, in two steps. The password only opens a pending sign-in, and the second factor opens the session. An unknown
// address takes the same time and gets the same message as a known one (threats 81, 82).
import { normaliseEmail } from '../../domain/people/names.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { TooManyPasswordChecks } from '../../ports/people/credentials.ts';
import type { SecondFactors } from '../../ports/people/second-factors.ts';
import type { PendingSignIn } from '../../ports/people/sign-in.ts';
import { acceptSecondFactor, type SecondFactor } from './accept-second-factor.ts';
import { countTry, findTriesKey } from './lock-out.ts';
import { type ClientFacts, type OpenedSession, openPendingSignIn, openSession } from './open-session.ts';
import { hashToken, newPeopleId, type PeopleDeps } from './people-deps.ts';

export type SignInRefusal =
  /** The address, the password or the second factor is wrong, or the person is disabled. The response does not reveal which. */
  | { readonly code: 'sign_in_failed' }
  | { readonly code: 'sign_in_locked'; readonly untilMs: number }
  /** Five second factors were checked, or the time limit has passed. The person must start again with the password. */
  | { readonly code: 'sign_in_ended' }
  /** Too many passwords wait for their check. The person must try again in a moment. */
  | { readonly code: 'sign_in_busy' };

export interface OpenedPendingSignIn {
  readonly token: string;
  readonly factors: SecondFactors;
}

/** `device` is the token that an earlier sign-in left on this device, or null. */
export async function signInWithPassword(
  deps: PeopleDeps,
  given: { readonly email: string; readonly password: string; readonly device: string | null },
): Promise<Result<OpenedPendingSignIn, SignInRefusal>> {
  const email = normaliseEmail(given.email);
  // No person has an invalid address, so there is no password to check, and the fast response reveals nothing.
  if (email === undefined) return fail({ code: 'sign_in_failed' });
  const triesKey = await findTriesKey(deps, email, given.device);
  const untilMs = await countTry(deps, triesKey);
  if (untilMs !== null) return fail({ code: 'sign_in_locked', untilMs });
  const known = await deps.signIn.passwordOf(email);
  const right = await verifyPassword(deps, given.password, known?.stored ?? null);
  if (right === 'busy') {
    await deps.signIn.returnTry(triesKey);
    return fail({ code: 'sign_in_busy' });
  }
  if (!right || known === undefined) return fail({ code: 'sign_in_failed' });
  const { id } = known.person;
  const token = await openPendingSignIn(deps, id, triesKey, known.stored);
  if (token === undefined) return fail({ code: 'sign_in_failed' });
  return ok({ token, factors: await deps.signIn.secondFactorsOf(id) });
}

export async function verifyPassword(
  { passwords }: Pick<PeopleDeps, 'passwords'>,
  password: string,
  stored: string | null,
): Promise<boolean | 'busy'> {
  try {
    return await passwords.verify(password, stored);
  } catch (error) {
    if (error instanceof TooManyPasswordChecks) return 'busy';
    throw error;
  }
}

export async function signInWithSecondFactor(
  deps: PeopleDeps,
  given: { readonly token: string; readonly factor: SecondFactor } & ClientFacts,
): Promise<Result<OpenedSession, SignInRefusal>> {
  const pending = await countSecondFactorTry(deps, given.token);
  if (!pending.ok) return pending;
  const { personId, challenge } = pending.value;
  if (!(await acceptSecondFactor(deps, personId, given.factor, challenge))) {
    await recordWrongFactor(deps, personId, given);
    return fail({ code: 'sign_in_failed' });
  }
  const { kind } = given.factor;
  const opened = await openSession(deps, pending.value, given, kind);
  if (opened === undefined) return fail({ code: 'sign_in_ended' });
  if (kind === 'recovery_code') await allowNewFactor(deps, opened);
  return ok(opened);
}

export type CountedPendingSignIn = PendingSignIn & { readonly tokenHash: string };

/** Counts a try of a second factor before the service checks it, both for this pending sign-in and for the account. */
export async function countSecondFactorTry(
  deps: PeopleDeps,
  token: string,
): Promise<Result<CountedPendingSignIn, SignInRefusal>> {
  const tokenHash = hashToken(token);
  const pending = await deps.signIn.judgePending(tokenHash, deps.clock.now());
  if (pending === undefined) return fail({ code: 'sign_in_ended' });
  const untilMs = await countTry(deps, pending.triesKey);
  return untilMs === null ? ok({ ...pending, tokenHash }) : fail({ code: 'sign_in_locked', untilMs });
}

export async function makePasskeyChallenge(
  deps: PeopleDeps,
  token: string,
): Promise<Result<object, SignInRefusal>> {
  const atMs = deps.clock.now();
  const tokenHash = hashToken(token);
  const pending = await deps.signIn.pending(tokenHash, atMs);
  if (pending === undefined) return fail({ code: 'sign_in_ended' });
  const { passkeys } = await deps.signIn.secondFactorsOf(pending.personId);
  const options = await deps.passkeys.signInOptions(passkeys);
  const kept = await deps.signIn.setChallenge(tokenHash, options.challenge, atMs);
  return kept === undefined ? fail({ code: 'sign_in_ended' }) : ok(options);
}

/** Records a wrong second factor after a correct password in the audit log, so that the operator can notice it. */
function recordWrongFactor(
  deps: PeopleDeps,
  personId: string,
  { factor, address, surface }: { readonly factor: SecondFactor } & ClientFacts,
): Promise<void> {
  return deps.audit.record({
    actor: personId,
    atMs: deps.clock.now(),
    action: 'second_factor.refused',
    subject: personId,
    businessId: null,
    detail: { factor: factor.kind, address, surface },
  });
}

/**
 * A person who lost their authenticator signs in with a recovery code to set up a new one. The set-up needs a step-up, which
 * this person can no longer give. So the recovery code counts as the step-up, but only for the person's own credentials.
 */
function allowNewFactor(deps: PeopleDeps, { session }: OpenedSession): Promise<void> {
  const { id: sessionId, personId } = session;
  const stepUp = { id: newPeopleId(deps, 'sup'), atMs: deps.clock.now() };
  return deps.signIn.addStepUp({ ...stepUp, personId, sessionId, subjectId: personId });
}
