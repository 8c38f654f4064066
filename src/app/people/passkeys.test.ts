// Tests passkeys with a software authenticator: set-up, sign-in and step-up, and every response that the service must refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import {
  addTestPerson,
  CLIENT,
  makePeople,
  ORIGIN,
  pendingOf,
  signIn,
  type TestPeople,
} from '../../../test/support/people/people.ts';
import {
  type AuthenticatorOptions,
  type Lies,
  makeSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../../test/support/people/software-authenticator.ts';
import type { Result } from '../../domain/values/result.ts';
import { addFirstPasskey, beginFirstPasskey } from './enrol-first-factor.ts';
import { addPasskey, beginPasskey, removePasskey } from './second-factors.ts';
import { findSession, type SignedInSession } from './sessions.ts';
import { makePasskeyChallenge, signInWithSecondFactor } from './sign-in.ts';
import { findFreshStepUp, makeStepUpChallenge, stepUp } from './step-up.ts';

const database = openTestDatabase(await freshDatabase());

function given<T>(result: Result<T, { readonly code: string }>): T {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function codeOf(result: Result<unknown, { readonly code: string }>): string | undefined {
  return result.ok ? undefined : result.error.code;
}

async function withPasskey(people: TestPeople, options: Partial<AuthenticatorOptions> = {}) {
  const { deps } = people;
  const person = await addTestPerson(database, people, { totp: false });
  const authenticator = makeSoftwareAuthenticator({ origin: ORIGIN, ...options });
  const token = await pendingOf(people, person);
  const answer = authenticator.register(given(await beginFirstPasskey(deps, token)));
  const opened = given(await addFirstPasskey(deps, { token, answer, name: 'Phone', ...CLIENT }));
  const signedIn = (await findSession(deps, opened.token))!;
  return { person, authenticator, signedIn, opened };
}

async function signInWith(
  people: TestPeople,
  person: { readonly email: string; readonly password: string },
  authenticator: SoftwareAuthenticator,
  lies?: Lies,
) {
  const token = await pendingOf(people, person);
  const answer = authenticator.answer(given(await makePasskeyChallenge(people.deps, token)), lies);
  const factor = { kind: 'passkey', answer } as const;
  return { outcome: await signInWithSecondFactor(people.deps, { token, factor, ...CLIENT }), answer };
}

async function stepUpWith(
  people: TestPeople,
  signedIn: SignedInSession,
  by: SoftwareAuthenticator,
  subject: string,
) {
  const answer = by.answer(given(await makeStepUpChallenge(people.deps, signedIn, subject)));
  return stepUp(people.deps, signedIn, subject, { kind: 'passkey', answer });
}

test('a passkey can be the first second factor, and later signs the person in', async () => {
  const people = makePeople(database);
  const { person, authenticator, opened } = await withPasskey(people);
  assert.equal(opened.recoveryCodes.length, 10);
  assert.ok((await signInWith(people, person, authenticator)).outcome.ok);
  const uncounted = await withPasskey(people, { counts: false });
  for (let i = 0; i < 2; i++)
    assert.ok((await signInWith(people, uncounted.person, uncounted.authenticator)).outcome.ok);
});

test('threat 82: a passkey response without user verification, from another page or from a copied key is refused', async () => {
  const people = makePeople(database);
  const { person, authenticator } = await withPasskey(people);
  const refused = async (lies: Lies) =>
    codeOf((await signInWith(people, person, authenticator, lies)).outcome);
  assert.equal(await refused({ userVerified: false }), 'sign_in_failed');
  assert.equal(await refused({ origin: 'https://pay.example.evil' }), 'sign_in_failed');
  assert.ok((await signInWith(people, person, authenticator, { signCount: 9 })).outcome.ok);
  assert.equal(await refused({ signCount: 9 }), 'sign_in_failed', 'the counter did not go on');
  assert.equal(await refused({ signCount: 0 }), 'sign_in_failed', 'nor may it stop counting');
});

test('threat 82: a key that does not verify its user cannot be set up', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people, { totp: false });
  const token = await pendingOf(people, person);
  const authenticator = makeSoftwareAuthenticator({ origin: ORIGIN, userVerified: false });
  const answer = authenticator.register(given(await beginFirstPasskey(people.deps, token)));
  const outcome = await addFirstPasskey(people.deps, { token, answer, name: '', ...CLIENT });
  assert.equal(codeOf(outcome), 'wrong_answer');
});

test('threat 82: a passkey response is accepted once, and only for the challenge of its own sign-in', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const { person, authenticator } = await withPasskey(people, { counts: false });
  const token = await pendingOf(people, person);
  const answer = authenticator.answer(given(await makePasskeyChallenge(deps, token)));
  const other = await pendingOf(people, person);
  await makePasskeyChallenge(deps, other);
  const give = (pending: string) =>
    signInWithSecondFactor(deps, { token: pending, factor: { kind: 'passkey', answer }, ...CLIENT });
  assert.equal(codeOf(await give(other)), 'sign_in_failed');
  assert.equal(codeOf(await give(other)), 'sign_in_failed', 'the challenge is gone');
  const outcomes = await Promise.all([give(token), give(token)]);
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
  const broken = await pendingOf(people, person);
  await makePasskeyChallenge(deps, broken);
  const nonsense = { kind: 'passkey', answer: { id: authenticator.credentialId, response: 7 } } as const;
  assert.equal(
    codeOf(await signInWithSecondFactor(deps, { token: broken, factor: nonsense, ...CLIENT })),
    'sign_in_failed',
  );
});

test('threat 82: the passkey of another person is refused', async () => {
  const people = makePeople(database);
  const { authenticator } = await withPasskey(people);
  const { person } = await withPasskey(people);
  assert.equal(codeOf((await signInWith(people, person, authenticator)).outcome), 'sign_in_failed');
});

test('threat 83: one passkey belongs to one person', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const { authenticator } = await withPasskey(people);
  const person = await addTestPerson(database, people, { totp: false });
  const token = await pendingOf(people, person);
  const answer = authenticator.register(given(await beginFirstPasskey(deps, token)));
  const outcome = await addFirstPasskey(deps, { token, answer, name: 'Mine', ...CLIENT });
  assert.equal(codeOf(outcome), 'belongs_to_another');
});

test('adding another passkey needs a step-up, and a person keeps at least one second factor', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const { person, authenticator, signedIn } = await withPasskey(people);
  assert.equal(codeOf(await beginPasskey(deps, signedIn)), 'step_up_needed');
  given(await stepUpWith(people, signedIn, authenticator, person.id));
  const second = makeSoftwareAuthenticator({ origin: ORIGIN });
  const answer = second.register(given(await beginPasskey(deps, signedIn)));
  assert.equal(given(await addPasskey(deps, signedIn, answer, ' Key ')), 'enrolled');
  assert.equal(codeOf(await addPasskey(deps, signedIn, answer, 'again')), 'wrong_answer');
  assert.deepEqual((await deps.signIn.passkeysOf(person.id)).map(({ name }) => name).sort(), [
    'Key',
    'Phone',
  ]);
  const removed = await Promise.all(
    [authenticator, second].map(({ credentialId }) => removePasskey(deps, signedIn, credentialId)),
  );
  assert.deepEqual(removed.map(codeOf).sort(), ['last_second_factor', undefined]);
  assert.equal(codeOf(await removePasskey(deps, signedIn, 'unknown')), 'not_found');
});

test('threat 83: a passkey step-up is valid only for its own subject and session', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const { person, authenticator, signedIn } = await withPasskey(people);
  const answer = authenticator.answer(given(await makeStepUpChallenge(deps, signedIn, 'prp_1')));
  await makeStepUpChallenge(deps, signedIn, 'prp_2');
  const factor = { kind: 'passkey', answer } as const;
  assert.equal(codeOf(await stepUp(deps, signedIn, 'prp_2', factor)), 'wrong_factor');
  assert.ok((await stepUp(deps, signedIn, 'prp_1', factor)).ok);
  assert.equal(await findFreshStepUp(deps, signedIn, 'prp_2'), undefined);
  const late = authenticator.answer(given(await makeStepUpChallenge(deps, signedIn, 'prp_3')));
  people.clock.nowMs += 5 * 60_000 + 1;
  assert.equal(
    codeOf(await stepUp(deps, signedIn, 'prp_3', { kind: 'passkey', answer: late })),
    'wrong_factor',
    'the challenge was too old',
  );
  const unverified = authenticator.answer(given(await makeStepUpChallenge(deps, signedIn, 'prp_3')), {
    userVerified: false,
  });
  const outcome = await stepUp(deps, signedIn, 'prp_3', { kind: 'passkey', answer: unverified });
  assert.equal(codeOf(outcome), 'wrong_factor');
  assert.equal(person.id, signedIn.person.id);
});

test('a person with an authenticator application may add a passkey and remove it', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  clock.nowMs += 30_000;
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  given(await stepUp(deps, signedIn, person.id, factor));
  const authenticator = makeSoftwareAuthenticator({ origin: ORIGIN });
  const answer = authenticator.register(given(await beginPasskey(deps, signedIn)));
  given(await addPasskey(deps, signedIn, answer, 'Key'));
  assert.equal(given(await removePasskey(deps, signedIn, authenticator.credentialId)), 'removed');
});

test('threat 82: of two simultaneous passkey responses with the same counter, one is accepted', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const { authenticator } = await withPasskey(people);
  const use = () => deps.signIn.usePasskey(authenticator.credentialId, 4, clock.nowMs);
  assert.deepEqual((await Promise.all([use(), use()])).sort(), [false, true]);
});

test('threat 82: the challenge of a step-up cannot be used to add a passkey in a session that was left open', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const { signedIn } = await withPasskey(people);
  clock.nowMs += 6 * 60_000;
  const asked = given(await makeStepUpChallenge(deps, signedIn, 'new passkey'));
  const thief = makeSoftwareAuthenticator({ origin: ORIGIN });
  const answer = thief.register({ ...asked, rp: { id: new URL(ORIGIN).hostname } });
  assert.equal(codeOf(await addPasskey(deps, signedIn, answer, 'Thief')), 'step_up_needed');
  assert.equal((await deps.signIn.passkeysOf(signedIn.person.id)).length, 1);
});
