// Tests the change of a password: its conditions, and that it ends all sessions and pending sign-ins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { addTestPerson, CLIENT, makePeople, pendingOf, signIn } from '../../../test/support/people/people.ts';
import { TRY_LIMITS } from './lock-out.ts';
import { openPendingSignIn } from './open-session.ts';
import { changePassword, checkNewPassword } from './password-rules.ts';
import { findSession } from './sessions.ts';
import { signInWithPassword, signInWithSecondFactor } from './sign-in.ts';

const database = openTestDatabase(await freshDatabase());
const NEXT = 'seven green boats at noon';

test('threat 81: a new password ends all sessions, this one included, and all pending sign-ins', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const elsewhere = await signIn(people, person, { surface: 'command_line' });
  const { signedIn, token } = await signIn(people, person);
  const pending = await pendingOf(people, person);
  const outcome = await changePassword(deps, signedIn, { current: person.password, next: NEXT });
  assert.deepEqual(outcome, { ok: true, value: 'changed' });
  assert.equal(await findSession(deps, token), undefined);
  assert.equal(await findSession(deps, elsewhere.token), undefined);
  clock.nowMs += 30_000;
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  assert.deepEqual(await signInWithSecondFactor(deps, { token: pending, factor, ...CLIENT }), {
    ok: false,
    error: { code: 'sign_in_ended' },
  });
  const old = await signInWithPassword(deps, { ...person, device: null });
  assert.deepEqual(old, { ok: false, error: { code: 'sign_in_failed' } });
  await signIn(people, { ...person, password: NEXT });
});

test('threat 81: a sign-in that checked the old password creates no session after the password is changed', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { stored } = (await deps.signIn.passwordOf(person.email))!;
  const changed = await deps.passwords.hash(NEXT);
  await deps.signIn.setPassword(person.id, changed, { actor: person.id, atMs: clock.nowMs });
  assert.equal(await openPendingSignIn(deps, person.id, 'key', stored), undefined);
  assert.ok(await openPendingSignIn(deps, person.id, 'key', changed));
});

test('threat 82: an open session allows at most ten guesses of the current password', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  const codes = [];
  for (let i = 0; i <= TRY_LIMITS.most; i++) {
    const outcome = await changePassword(people.deps, signedIn, { current: 'a wrong one', next: NEXT });
    codes.push(outcome.ok ? 'changed' : outcome.error.code);
  }
  assert.deepEqual(codes, [...Array.from({ length: TRY_LIMITS.most }, () => 'wrong_password'), 'locked']);
});

test('the new password must differ from the old one', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { signedIn } = await signIn(people, person);
  const given = { current: person.password, next: person.password };
  const outcome = await changePassword(people.deps, signedIn, given);
  assert.deepEqual(outcome, { ok: false, error: { code: 'same_password' } });
});

test('a new password has 12 to 128 characters and is not an easy guess', () => {
  const person = { email: 'ada.okonkwo@people.example', name: 'Ada Nwando Okonkwo' };
  const check = (password: string) => checkNewPassword(password, person)?.code;
  assert.equal(check('short phrase'), undefined);
  assert.equal(check('elevenchars'), 'password_too_short');
  assert.equal(check('é'.repeat(11)), 'password_too_short', 'characters are counted, not bytes');
  assert.equal(check('seven green boats '.repeat(7)), undefined);
  assert.equal(check(`${'seven green boats '.repeat(7)}xyz`), 'password_too_long');
  for (const easy of [
    'ada.okonkwo@people.example',
    'Ada.Okonkwo2026!',
    'adanwandookonkwo',
    'Password2026!',
    'qwertyuiop123',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijkl',
    '123456789012',
    'Iloveyou!!2026',
  ])
    assert.equal(check(easy), 'password_too_easy', easy);
});
