// Tests the sign-in with a password and then a second factor: what the service checks, how often, and what an outsider can
// learn from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import {
  addTestPerson,
  CLIENT,
  makePeople,
  pendingOf,
  signIn,
  wrongCode,
} from '../../../test/support/people/people.ts';
import { type Passwords, TooManyPasswordChecks } from '../../ports/people/credentials.ts';
import { hashRecoveryCode } from './accept-second-factor.ts';
import { hashToken, PENDING_SIGN_IN_MS, type PeopleDeps } from './people-deps.ts';
import { findSession } from './sessions.ts';
import { signInWithPassword, signInWithSecondFactor } from './sign-in.ts';

const database = openTestDatabase(await freshDatabase(), 10, 60_000);
const FAILED = { ok: false, error: { code: 'sign_in_failed' } };
const ENDED = { ok: false, error: { code: 'sign_in_ended' } };

async function count(table: string, personId: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>({
    text: `select count(*) from ${table} where person_id = $1`,
    values: [personId],
  });
  return Number(rows[0]!.count);
}

test('threat 82: the password alone opens no session; the second factor opens one', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  assert.equal(await count('sessions', person.id), 0);
  assert.equal(await findSession(people.deps, token), undefined, 'the pending token is no session');
  const factor = { kind: 'totp', code: person.code(people.clock.nowMs) } as const;
  const opened = await signInWithSecondFactor(people.deps, { token, factor, ...CLIENT });
  assert.ok(opened.ok);
  assert.equal(await count('sessions', person.id), 1);
  assert.equal(await count('sign_ins', person.id), 0);
  assert.notEqual(opened.value.token, token);
  assert.equal((await findSession(people.deps, opened.value.token))?.person.id, person.id);
});

test('threat 82: of 1,000 wrong codes at once for one pending sign-in five are checked, and the correct one after them is refused', async () => {
  const people = makePeople(database);
  let judged = 0;
  const totp: PeopleDeps['totp'] = {
    ...people.deps.totp,
    stepOf: (...given) => {
      judged++;
      return people.deps.totp.stepOf(...given);
    },
  };
  const deps = { ...people.deps, totp };
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  const guess = { kind: 'totp', code: wrongCode(person, people.clock.nowMs) } as const;
  const outcomes = await Promise.all(
    Array.from({ length: 1_000 }, () => signInWithSecondFactor(deps, { token, factor: guess, ...CLIENT })),
  );
  assert.equal(judged, 5);
  assert.ok(outcomes.every(({ ok }) => !ok));
  const right = { kind: 'totp', code: person.code(people.clock.nowMs) } as const;
  assert.deepEqual(await signInWithSecondFactor(deps, { token, factor: right, ...CLIENT }), ENDED);
  assert.equal(judged, 5);
  assert.equal(await count('sessions', person.id), 0);
  assert.equal(people.recorded.filter(({ action }) => action === 'second_factor.refused').length, 5);
});

test('threat 82: one code that is submitted twice at once opens one session, and never works again', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const tokens = [await pendingOf(people, person), await pendingOf(people, person)];
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  const both = await Promise.all(
    tokens.map((token) => signInWithSecondFactor(deps, { token, factor, ...CLIENT })),
  );
  assert.equal(both.filter(({ ok }) => ok).length, 1);
  const again = await pendingOf(people, person);
  assert.deepEqual(await signInWithSecondFactor(deps, { token: again, factor, ...CLIENT }), FAILED);
  assert.equal(await count('sessions', person.id), 1);
});

test('threat 82: two correct factors at once for one pending sign-in open one session', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  const codes = [person.code(clock.nowMs - 30_000), person.code(clock.nowMs)];
  const both = await Promise.all(
    codes.map((code) => signInWithSecondFactor(deps, { token, factor: { kind: 'totp', code }, ...CLIENT })),
  );
  assert.equal(both.filter(({ ok }) => ok).length, 1);
  assert.equal(await count('sessions', person.id), 1);
});

test('threat 82: after a code was used, no older code is accepted', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  await signIn(people, person);
  const token = await pendingOf(people, person);
  const older = { kind: 'totp', code: person.code(clock.nowMs - 30_000) } as const;
  assert.deepEqual(await signInWithSecondFactor(deps, { token, factor: older, ...CLIENT }), FAILED);
  clock.nowMs += 30_000;
  const newer = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  assert.ok((await signInWithSecondFactor(deps, { token, factor: newer, ...CLIENT })).ok);
});

test('a pending sign-in ends after ten minutes, and the next one deletes its row', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  clock.nowMs += PENDING_SIGN_IN_MS;
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  assert.deepEqual(await signInWithSecondFactor(deps, { token, factor, ...CLIENT }), ENDED);
  await pendingOf(people, person);
  const { rowCount } = await database.query({
    text: 'select from sign_ins where token_hash = $1',
    values: [hashToken(token)],
  });
  assert.equal(rowCount, 0);
});

test('threat 82: known, unknown and disabled addresses cause one key derivation each and get the same message', async () => {
  const people = makePeople(database);
  const known = await addTestPerson(database, people);
  const disabled = await addTestPerson(database, people);
  await database.query({
    text: 'update people set disabled_at = now() where id = $1',
    values: [disabled.id],
  });
  let derivations = 0;
  const passwords: Passwords = {
    ...people.deps.passwords,
    verify: (...given) => {
      derivations++;
      return people.deps.passwords.verify(...given);
    },
  };
  const deps = { ...people.deps, passwords };
  const wrong = 'not the password';
  for (const { email, password } of [
    { email: known.email, password: wrong },
    { email: 'unknown@people.example', password: wrong },
    { email: disabled.email, password: wrong },
    { email: disabled.email, password: disabled.password },
  ]) {
    derivations = 0;
    assert.deepEqual(await signInWithPassword(deps, { email, password, device: null }), FAILED);
    assert.equal(derivations, 1, email);
  }
});

test('a person who is disabled between the password and the second factor gets no session', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  await database.query({ text: 'update people set disabled_at = now() where id = $1', values: [person.id] });
  const factor = { kind: 'totp', code: person.code(people.clock.nowMs) } as const;
  assert.deepEqual(await signInWithSecondFactor(people.deps, { token, factor, ...CLIENT }), ENDED);
  assert.equal(await count('sessions', person.id), 0);
});

test('when too many passwords wait for a check, further ones get a retry response and are not counted', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const passwords = { ...people.deps.passwords, verify: () => Promise.reject(new TooManyPasswordChecks()) };
  const given = { email: person.email, password: 'any', device: null };
  for (let i = 0; i < 20; i++) {
    const outcome = await signInWithPassword({ ...people.deps, passwords }, given);
    assert.deepEqual(outcome, { ok: false, error: { code: 'sign_in_busy' } });
  }
  assert.ok(await pendingOf(people, person));
});

test('threat 82: a recovery code works once, and only for its owner', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const other = await addTestPerson(database, people);
  const doing = { actor: person.id, atMs: clock.nowMs };
  await deps.signIn.setRecoveryCodes(person.id, [hashRecoveryCode('abcd-efgh-jkmn-pqrs')], doing);
  const give = async (who: typeof person, code: string) => {
    const token = await pendingOf(people, who);
    return signInWithSecondFactor(deps, { token, factor: { kind: 'recovery_code', code }, ...CLIENT });
  };
  assert.deepEqual(await give(other, 'abcd-efgh-jkmn-pqrs'), FAILED);
  const outcomes = await Promise.all([give(person, 'ABCD EFGH JKMN PQRS'), give(person, 'abcdefghjkmnpqrs')]);
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
});
