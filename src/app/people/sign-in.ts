// Signing in, in two steps. The password opens a pending sign-in and never a session; the second factor opens the session.
// An unknown address takes the same time and gets the same words as a known one (threats 81, 82).
import { createHash } from 'node:crypto';
import { normaliseEmail } from '../../domain/people/email.ts';
import type { Result } from '../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../ports/people/credentials.ts';
import type { SecondFactors, Session, Surface } from '../../ports/people/sign-in.ts';
import {
  ABSOLUTE_MS,
  hashToken,
  newPeopleId,
  newToken,
  type Origin,
  PENDING_MS,
  type PeopleDeps,
  TRY_LIMITS,
  totpPurpose,
} from './people-deps.ts';

export type SignInRefusal =
  | { readonly code: 'sign_in_failed' }
  | { readonly code: 'sign_in_locked'; readonly untilMs: number }
  /** Five second factors were judged, or the time is over: begin with the password. */
  | { readonly code: 'sign_in_ended' };

export interface Pending {
  readonly token: string;
  readonly factors: SecondFactors;
}

export async function signInWithPassword(
  deps: PeopleDeps,
  given: { readonly email: string; readonly password: string },
): Promise<Result<Pending, SignInRefusal>> {
  const email = normaliseEmail(given.email);
  const atMs = deps.clock.now();
  // What is no address is counted, too: all of them together.
  const untilMs = await deps.signIn.countTry(email ?? '', atMs, TRY_LIMITS);
  if (untilMs !== null) return refuse({ code: 'sign_in_locked', untilMs });
  const known = email === undefined ? undefined : await deps.signIn.passwordOf(email);
  const right = await deps.passwords.verify(given.password, known?.stored ?? null);
  if (!right || known === undefined || known.person.disabledAtMs !== null)
    return refuse({ code: 'sign_in_failed' });
  const token = newToken(deps);
  const { id } = known.person;
  await deps.signIn.addPending(hashToken(token), id, atMs + PENDING_MS);
  return { ok: true, value: { token, factors: await deps.signIn.secondFactorsOf(id) } };
}

export type SecondFactor =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'recovery_code'; readonly code: string }
  | { readonly kind: 'passkey'; readonly answer: PasskeyAnswer };

export interface Opened {
  /** Shown once: only its hash is stored. */
  readonly token: string;
  readonly session: Session;
}

export async function giveSecondFactor(
  deps: PeopleDeps,
  given: { readonly token: string; readonly factor: SecondFactor; readonly surface: Surface } & Origin,
): Promise<Result<Opened, SignInRefusal>> {
  const atMs = deps.clock.now();
  const tokenHash = hashToken(given.token);
  const pending = await deps.signIn.judgePending(tokenHash, atMs);
  if (pending === undefined) return refuse({ code: 'sign_in_ended' });
  const { personId, challenge } = pending;
  if (!(await isRightFactor(deps, personId, given.factor, challenge)))
    return refuse({ code: 'sign_in_failed' });
  const opened = await openSession(deps, personId, given, tokenHash);
  if (opened === undefined) return refuse({ code: 'sign_in_ended' });
  const person = await deps.people.find(personId);
  if (person !== undefined) await deps.signIn.forgetTries(person.email);
  return { ok: true, value: opened };
}

/** The challenge that a passkey has to sign for this sign-in. */
export async function askForPasskey(deps: PeopleDeps, token: string): Promise<Result<object, SignInRefusal>> {
  const tokenHash = hashToken(token);
  const atMs = deps.clock.now();
  const first = await deps.passkeys.signInOptions([]);
  const pending = await deps.signIn.setChallenge(tokenHash, first.challenge, atMs);
  if (pending === undefined) return refuse({ code: 'sign_in_ended' });
  const { passkeys } = await deps.signIn.secondFactorsOf(pending.personId);
  const allowCredentials = passkeys.map((id) => ({ id, type: 'public-key' }));
  return { ok: true, value: { ...first, allowCredentials } };
}

/** Judges a second factor of a person, and uses it up: no code and no answer is accepted twice. */
export async function isRightFactor(
  deps: PeopleDeps,
  personId: string,
  factor: SecondFactor,
  challenge: string | null,
): Promise<boolean> {
  const atMs = deps.clock.now();
  switch (factor.kind) {
    case 'totp': {
      const stored = await deps.signIn.totpOf(personId);
      if (stored === undefined || !stored.confirmed) return false;
      const secret = deps.box.unseal(stored.sealed, totpPurpose(personId));
      const step = deps.totp.stepOf(secret, factor.code.replaceAll(' ', ''), atMs);
      return step !== undefined && (await deps.signIn.acceptTotpStep(personId, step, atMs));
    }
    case 'recovery_code':
      return deps.signIn.useRecoveryCode(personId, hashRecoveryCode(factor.code), atMs);
    case 'passkey': {
      if (challenge === null) return false;
      const passkey = await deps.signIn.passkey(factor.answer.id);
      if (passkey === undefined || passkey.personId !== personId) return false;
      const verified = await deps.passkeys.verifySignIn(factor.answer, challenge, passkey);
      if (verified === undefined) return false;
      return deps.signIn.usePasskey(passkey.credentialId, verified.signCount, atMs);
    }
  }
}

/** Undefined when the pending sign-in was used by another request meanwhile. */
async function openSession(
  deps: PeopleDeps,
  personId: string,
  { surface, address, userAgent }: Origin & { readonly surface: Surface },
  pendingHash: string,
): Promise<Opened | undefined> {
  const token = newToken(deps);
  const atMs = deps.clock.now();
  const session = {
    id: newPeopleId(deps, 'ses'),
    personId,
    surface,
    address,
    userAgent: userAgent.slice(0, 200),
    createdAtMs: atMs,
    expiresAtMs: atMs + ABSOLUTE_MS,
  };
  const opened = await deps.signIn.openSession({ ...session, tokenHash: hashToken(token) }, pendingHash);
  if (!opened) return undefined;
  await deps.audit.record({
    actor: personId,
    atMs,
    action: 'session.opened',
    subject: session.id,
    businessId: null,
    detail: { surface, address },
  });
  return { token, session: { ...session, seenAtMs: atMs } };
}

/** Codes are typed by people: case and dashes do not count. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest('base64url');
}

function refuse(error: SignInRefusal): { readonly ok: false; readonly error: SignInRefusal } {
  return { ok: false, error };
}
