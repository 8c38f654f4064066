// Sets up the first second factor of a person inside a pending sign-in, and then opens the person's first session. A person who
// already has a second factor must use it instead (threat 82).
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../ports/people/credentials.ts';
import type { EnrolmentOutcome } from '../../ports/people/second-factors.ts';
import { hashRecoveryCode, makeRecoveryCodes, type SecondFactor } from './accept-second-factor.ts';
import { type ClientFacts, type OpenedSession, openSession } from './open-session.ts';
import { hashToken, type PeopleDeps } from './people-deps.ts';
import { type EnrolRefusal, enrolPasskey, enrolTotp, startTotp, type TotpSetUp } from './second-factors.ts';
import { type CountedPendingSignIn, countSecondFactorTry, type SignInRefusal } from './sign-in.ts';

export type FirstFactorRefusal = SignInRefusal | EnrolRefusal | { readonly code: 'has_second_factor' };

export interface FirstSession extends OpenedSession {
  /** Shown once. */
  readonly recoveryCodes: readonly string[];
}

export async function beginFirstTotp(
  deps: PeopleDeps,
  token: string,
): Promise<Result<TotpSetUp, FirstFactorRefusal>> {
  const personId = await findPersonWithoutFactor(deps, token);
  return personId.ok ? ok(await startTotp(deps, personId.value)) : personId;
}

export async function confirmFirstTotp(
  deps: PeopleDeps,
  given: { readonly token: string; readonly code: string } & ClientFacts,
): Promise<Result<FirstSession, FirstFactorRefusal>> {
  const pending = await countSecondFactorTry(deps, given.token);
  if (!pending.ok) return pending;
  const recoveryCodes = makeRecoveryCodes(deps);
  const enrolment = { onlyFirst: true, recoveryHashes: recoveryCodes.map(hashRecoveryCode) };
  const enrolled = await enrolTotp(deps, pending.value.personId, given.code, enrolment);
  return enrolled.ok
    ? openFirstSession(deps, pending.value, given, enrolled.value, recoveryCodes, 'totp')
    : enrolled;
}

export async function beginFirstPasskey(
  deps: PeopleDeps,
  token: string,
): Promise<Result<object, FirstFactorRefusal>> {
  const personId = await findPersonWithoutFactor(deps, token);
  if (!personId.ok) return personId;
  const { id, email, name } = (await deps.people.find(personId.value))!;
  const options = await deps.passkeys.registrationOptions({ id, email, name, existing: [] });
  const kept = await deps.signIn.setChallenge(hashToken(token), options.challenge, deps.clock.now());
  return kept === undefined ? fail({ code: 'sign_in_ended' }) : ok(options);
}

export async function addFirstPasskey(
  deps: PeopleDeps,
  given: { readonly token: string; readonly answer: PasskeyAnswer; readonly name: string } & ClientFacts,
): Promise<Result<FirstSession, FirstFactorRefusal>> {
  const pending = await countSecondFactorTry(deps, given.token);
  if (!pending.ok) return pending;
  const { personId, challenge } = pending.value;
  const recoveryCodes = makeRecoveryCodes(deps);
  const enrolment = { onlyFirst: true, recoveryHashes: recoveryCodes.map(hashRecoveryCode) };
  const enrolled = await enrolPasskey(deps, { ...given, personId, challenge }, enrolment);
  return enrolled.ok
    ? openFirstSession(deps, pending.value, given, enrolled.value, recoveryCodes, 'passkey')
    : enrolled;
}

async function findPersonWithoutFactor(
  deps: PeopleDeps,
  token: string,
): Promise<Result<string, FirstFactorRefusal>> {
  const pending = await deps.signIn.pending(hashToken(token), deps.clock.now());
  if (pending === undefined) return fail({ code: 'sign_in_ended' });
  const { totp, passkeys } = await deps.signIn.secondFactorsOf(pending.personId);
  return totp || passkeys.length > 0 ? fail({ code: 'has_second_factor' }) : ok(pending.personId);
}

async function openFirstSession(
  deps: PeopleDeps,
  pending: CountedPendingSignIn,
  client: ClientFacts,
  enrolled: EnrolmentOutcome,
  recoveryCodes: readonly string[],
  factor: SecondFactor['kind'],
): Promise<Result<FirstSession, FirstFactorRefusal>> {
  if (enrolled === 'has_second_factor') return fail({ code: enrolled });
  const opened = await openSession(deps, pending, client, factor);
  return opened === undefined ? fail({ code: 'sign_in_ended' }) : ok({ ...opened, recoveryCodes });
}
