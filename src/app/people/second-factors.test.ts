// Tests the set-up of second factors: the first one inside a pending sign-in, and further ones with a step-up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import {
  addTestPerson,
  CLIENT,
  codeOf,
  makePeople,
  pendingOf,
  signIn,
  type TestPeople,
  type TestPerson,
} from '../../../test/support/people/people.ts';
import { beginFirstTotp, confirmFirstTotp } from './enrol-first-factor.ts';
import { beginTotp, confirmTotp, replaceRecoveryCodes } from './second-factors.ts';
import { findSession, type SignedInSession } from './sessions.ts';
import { signInWithSecondFactor } from './sign-in.ts';
import { stepUp } from './step-up.ts';

const database = openTestDatabase(await freshDatabase());

async function stepUpForSelf({ deps, clock }: TestPeople, person: TestPerson, signedIn: SignedInSession) {
  clock.nowMs += 30_000;
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  assert.ok((await stepUp(deps, signedIn, person.id, factor)).ok);
}

function codeError(result: { readonly ok: boolean; readonly error?: { readonly code: string } }) {
  return result.error?.code;
}

test('threat 82: setting up the first second factor opens the first session and returns recovery codes', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people, { totp: false });
  const token = await pendingOf(people, person);
  const without = await signInWithSecondFactor(deps, {
    token,
    factor: { kind: 'totp', code: '000000' },
    ...CLIENT,
  });
  assert.equal(codeError(without), 'sign_in_failed', 'no factor is not a factor');
  assert.equal(
    codeError(await confirmFirstTotp(deps, { token, code: '000000', ...CLIENT })),
    'no_totp_begun',
  );
  const begun = await beginFirstTotp(deps, token);
  assert.ok(begun.ok);
  assert.ok(begun.value.uri.includes(encodeURIComponent(person.email)));
  const unconfirmed = { kind: 'totp', code: codeOf(begun.value.secret, clock.nowMs) } as const;
  assert.equal(
    codeError(await signInWithSecondFactor(deps, { token, factor: unconfirmed, ...CLIENT })),
    'sign_in_failed',
    'one that is being set up does not count',
  );
  const opened = await confirmFirstTotp(deps, { token, code: unconfirmed.code, ...CLIENT });
  assert.ok(opened.ok);
  assert.ok(await findSession(deps, opened.value.token));
  assert.equal(new Set(opened.value.recoveryCodes).size, 10);
  assert.ok(opened.value.recoveryCodes.every((code) => /^([0-9a-z]{4}-){3}[0-9a-z]{4}$/.test(code)));
  const again = await pendingOf(people, person);
  const factor = { kind: 'recovery_code', code: opened.value.recoveryCodes[0]! } as const;
  assert.equal(
    codeError(await signInWithSecondFactor(deps, { token: again, factor: unconfirmed, ...CLIENT })),
    'sign_in_failed',
    'the code that confirmed it is used up',
  );
  assert.ok((await signInWithSecondFactor(deps, { token: again, factor, ...CLIENT })).ok);
});

test('threat 82: a password alone cannot set up another second factor for a person who has one', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  assert.equal(codeError(await beginFirstTotp(deps, token)), 'has_second_factor');
});

test('threat 82: if two first factors are confirmed at once, one is accepted, and the other opens no session', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people, { totp: false });
  const tokens = [await pendingOf(people, person), await pendingOf(people, person)];
  const begun = await beginFirstTotp(deps, tokens[0]!);
  assert.ok(begun.ok);
  const code = codeOf(begun.value.secret, clock.nowMs);
  const both = await Promise.all(tokens.map((token) => confirmFirstTotp(deps, { token, code, ...CLIENT })));
  assert.equal(both.filter(({ ok }) => ok).length, 1, JSON.stringify(both));
});

test('threat 82: at most five codes are checked while the first factor is set up', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people, { totp: false });
  const token = await pendingOf(people, person);
  const begun = await beginFirstTotp(deps, token);
  assert.ok(begun.ok);
  const right = codeOf(begun.value.secret, clock.nowMs);
  const code = right === '000000' ? '111111' : '000000';
  for (let i = 0; i < 5; i++)
    assert.equal(codeError(await confirmFirstTotp(deps, { token, code, ...CLIENT })), 'wrong_code');
  assert.equal(codeError(await confirmFirstTotp(deps, { token, code: right, ...CLIENT })), 'sign_in_ended');
});

test('a new authenticator needs a step-up, and the old one stays valid until the new one is confirmed', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  assert.equal(codeError(await beginTotp(deps, signedIn)), 'step_up_needed');
  assert.equal(codeError(await replaceRecoveryCodes(deps, signedIn)), 'step_up_needed');
  await stepUpForSelf(people, person, signedIn);
  const begun = await beginTotp(deps, signedIn);
  assert.ok(begun.ok);
  const elsewhere = (await signIn(people, person)).signedIn;
  clock.nowMs += 30_000;
  const proof = codeOf(begun.value.secret, clock.nowMs);
  assert.equal(codeError(await confirmTotp(deps, elsewhere, proof)), 'step_up_needed');
  const confirmed = await confirmTotp(deps, signedIn, proof);
  assert.deepEqual(confirmed, { ok: true, value: 'enrolled' });
  const token = await pendingOf(people, person);
  clock.nowMs += 30_000;
  const old = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  assert.equal(
    codeError(await signInWithSecondFactor(deps, { token, factor: old, ...CLIENT })),
    'sign_in_failed',
  );
  const factor = { kind: 'totp', code: codeOf(begun.value.secret, clock.nowMs) } as const;
  assert.ok((await signInWithSecondFactor(deps, { token, factor, ...CLIENT })).ok);
});

test('threat 83: one authenticator belongs to one person', async () => {
  const people = makePeople(database);
  const secret = people.deps.totp.newSecret();
  const deps = { ...people.deps, totp: { ...people.deps.totp, newSecret: () => secret } };
  const code = codeOf(deps.totp.secretText(secret), people.clock.nowMs);
  const outcomes = [];
  for (const email of ['first@people.example', 'second@people.example']) {
    const person = await addTestPerson(database, people, { email, totp: false });
    const token = await pendingOf(people, person);
    assert.ok((await beginFirstTotp(deps, token)).ok);
    outcomes.push(codeError(await confirmFirstTotp(deps, { token, code, ...CLIENT })));
  }
  assert.deepEqual(outcomes, [undefined, 'belongs_to_another']);
});

test('a person who lost the authenticator signs in with a recovery code and sets up a new one', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  await stepUpForSelf(people, person, signedIn);
  const codes = await replaceRecoveryCodes(deps, signedIn);
  assert.ok(codes.ok);
  const token = await pendingOf(people, person);
  const factor = { kind: 'recovery_code', code: codes.value[3]! } as const;
  const opened = await signInWithSecondFactor(deps, { token, factor, ...CLIENT });
  assert.ok(opened.ok);
  const recovered = (await findSession(deps, opened.value.token))!;
  const begun = await beginTotp(deps, recovered);
  assert.ok(begun.ok);
  assert.ok((await confirmTotp(deps, recovered, codeOf(begun.value.secret, clock.nowMs))).ok);
  clock.nowMs += 5 * 60_000 + 1;
  assert.equal(codeError(await beginTotp(deps, recovered)), 'step_up_needed');
});

test('new recovery codes replace the previous ones', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  await stepUpForSelf(people, person, signedIn);
  const old = await replaceRecoveryCodes(deps, signedIn);
  const fresh = await replaceRecoveryCodes(deps, signedIn);
  assert.ok(old.ok && fresh.ok);
  const token = await pendingOf(people, person);
  const give = (code: string) =>
    signInWithSecondFactor(deps, { token, factor: { kind: 'recovery_code', code }, ...CLIENT });
  assert.equal(codeError(await give(old.value[0]!)), 'sign_in_failed');
  assert.ok((await give(fresh.value[0]!)).ok);
});
