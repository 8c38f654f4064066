// The first second factor of a person, set up inside a pending sign-in: the first session opens with it and never before. A
// person who has one already must give it instead (threat 82).
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../ports/people/credentials.ts';
import type { Enrolled } from '../../ports/people/second-factors.ts';
import { hashRecoveryCode, makeRecoveryCodes, type SecondFactor } from './judge-factor.ts';
import { type Client, type Opened, openSession } from './open-session.ts';
import { hashToken, type PeopleDeps } from './people-deps.ts';
import { type BegunTotp, begin, type EnrolRefusal, keepPasskey, proveTotp } from './second-factors.ts';
import { type JudgedPending, judgePending, type SignInRefusal } from './sign-in.ts';

export type FirstFactorRefusal = SignInRefusal | EnrolRefusal | { readonly code: 'has_second_factor' };

export interface OpenedFirst extends Opened {
  /** Shown once. */
  readonly recoveryCodes: readonly string[];
}

export async function beginTotpPending(
  deps: PeopleDeps,
  token: string,
): Promise<Result<BegunTotp, FirstFactorRefusal>> {
  const personId = await withoutFactor(deps, token);
  return personId.ok ? ok(await begin(deps, personId.value)) : personId;
}

export async function confirmTotpPending(
  deps: PeopleDeps,
  given: { readonly token: string; readonly code: string } & Client,
): Promise<Result<OpenedFirst, FirstFactorRefusal>> {
  const pending = await judgePending(deps, given.token);
  if (!pending.ok) return pending;
  const recoveryCodes = makeRecoveryCodes(deps);
  const enrolment = { onlyFirst: true, recoveryHashes: recoveryCodes.map(hashRecoveryCode) };
  const enrolled = await proveTotp(deps, pending.value.personId, given.code, enrolment);
  return enrolled.ok
    ? openFirst(deps, pending.value, given, enrolled.value, recoveryCodes, 'totp')
    : enrolled;
}

export async function beginPasskeyPending(
  deps: PeopleDeps,
  token: string,
): Promise<Result<object, FirstFactorRefusal>> {
  const personId = await withoutFactor(deps, token);
  if (!personId.ok) return personId;
  const { id, email, name } = (await deps.people.find(personId.value))!;
  const options = await deps.passkeys.registrationOptions({ id, email, name, existing: [] });
  const kept = await deps.signIn.setChallenge(hashToken(token), options.challenge, deps.clock.now());
  return kept === undefined ? fail({ code: 'sign_in_ended' }) : ok(options);
}

export async function addPasskeyPending(
  deps: PeopleDeps,
  given: { readonly token: string; readonly answer: PasskeyAnswer; readonly name: string } & Client,
): Promise<Result<OpenedFirst, FirstFactorRefusal>> {
  const pending = await judgePending(deps, given.token);
  if (!pending.ok) return pending;
  const { personId, challenge } = pending.value;
  const recoveryCodes = makeRecoveryCodes(deps);
  const enrolment = { onlyFirst: true, recoveryHashes: recoveryCodes.map(hashRecoveryCode) };
  const enrolled = await keepPasskey(deps, { ...given, personId, challenge }, enrolment);
  return enrolled.ok
    ? openFirst(deps, pending.value, given, enrolled.value, recoveryCodes, 'passkey')
    : enrolled;
}

async function withoutFactor(deps: PeopleDeps, token: string): Promise<Result<string, FirstFactorRefusal>> {
  const pending = await deps.signIn.pending(hashToken(token), deps.clock.now());
  if (pending === undefined) return fail({ code: 'sign_in_ended' });
  const { totp, passkeys } = await deps.signIn.secondFactorsOf(pending.personId);
  return totp || passkeys.length > 0 ? fail({ code: 'has_second_factor' }) : ok(pending.personId);
}

async function openFirst(
  deps: PeopleDeps,
  pending: JudgedPending,
  client: Client,
  enrolled: Enrolled,
  recoveryCodes: readonly string[],
  factor: SecondFactor['kind'],
): Promise<Result<OpenedFirst, FirstFactorRefusal>> {
  if (enrolled === 'has_second_factor') return fail({ code: enrolled });
  const opened = await openSession(deps, pending, client, factor);
  return opened === undefined ? fail({ code: 'sign_in_ended' }) : ok({ ...opened, recoveryCodes });
}
