// A step-up means that a person gives the second factor again, for one subject, in a live session. Only a fresh step-up for the
// proposal releases money. Strangers who lock the address cannot prevent a step-up, because wrong tries are counted by session
// (threats 82, 83).
import { STEP_UP_VALID_MS, type StepUp } from '../../domain/people/people-needed.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { acceptSecondFactor, type SecondFactor } from './accept-second-factor.ts';
import { countTry, emailTriesKey, sessionTriesKey } from './lock-out.ts';
import { newPeopleId, type PeopleDeps } from './people-deps.ts';
import type { SignedInSession } from './sessions.ts';

export type StepUpRefusal = { readonly code: 'wrong_factor' } | { readonly code: 'locked' };

export async function stepUp(
  deps: PeopleDeps,
  signedIn: SignedInSession,
  subjectId: string,
  factor: SecondFactor,
): Promise<Result<StepUp, StepUpRefusal>> {
  const { session, person } = signedIn;
  // A recovery code is only for signing in, because it may be written on a sheet of paper.
  if (factor.kind === 'recovery_code') return fail({ code: 'wrong_factor' });
  // Tries are counted for each subject and also for the whole session, because an attacker could use new subjects.
  if ((await countTry(deps, sessionTriesKey(session.id))) !== null) return fail({ code: 'locked' });
  const sinceMs = deps.clock.now() - STEP_UP_VALID_MS;
  const judged = await deps.signIn.judgeStepUp(session.id, subjectId, sinceMs);
  if (judged === undefined) return fail({ code: 'locked' });
  if (!(await acceptSecondFactor(deps, person.id, factor, judged.challenge))) {
    // A wrong factor also counts toward the lock of the account. An attacker who guesses here must not get more guesses at the
    // sign-in.
    await countTry(deps, emailTriesKey(person.email));
    return fail({ code: 'wrong_factor' });
  }
  const given = { id: newPeopleId(deps, 'sup'), atMs: deps.clock.now() };
  await deps.signIn.addStepUp({ ...given, personId: person.id, sessionId: session.id, subjectId });
  await deps.signIn.forgetStepUpTries(session.id, subjectId);
  await deps.signIn.forgetTries([sessionTriesKey(session.id)]);
  return ok(given);
}

export async function makeStepUpChallenge(
  deps: PeopleDeps,
  signedIn: SignedInSession,
  subjectId: string,
): Promise<Result<object, { readonly code: 'locked' }>> {
  const { passkeys } = await deps.signIn.secondFactorsOf(signedIn.person.id);
  const options = await deps.passkeys.signInOptions(passkeys);
  const kept = await storeStepUpChallenge(deps, signedIn, subjectId, options.challenge);
  return kept ? ok(options) : fail({ code: 'locked' });
}

export function findFreshStepUp(
  deps: PeopleDeps,
  { session }: SignedInSession,
  subjectId: string,
): Promise<StepUp | undefined> {
  return deps.signIn.newestStepUp(session.id, subjectId, deps.clock.now() - STEP_UP_VALID_MS);
}

export function storeStepUpChallenge(
  deps: PeopleDeps,
  { session }: SignedInSession,
  subjectId: string,
  challenge: string,
): Promise<boolean> {
  return deps.signIn.setStepUpChallenge(session.id, subjectId, challenge, deps.clock.now());
}

/** Each challenge can be answered only once, within five minutes. */
export async function takeStepUpChallenge(
  deps: PeopleDeps,
  { session }: SignedInSession,
  subjectId: string,
): Promise<string | null> {
  const sinceMs = deps.clock.now() - STEP_UP_VALID_MS;
  return (await deps.signIn.judgeStepUp(session.id, subjectId, sinceMs))?.challenge ?? null;
}
