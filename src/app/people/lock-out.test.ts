// Tests the lock-out of addresses. It works with any number of simultaneous guesses, grows longer, treats unknown addresses in
// the same way, and never locks the owner out.
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
  type TestPeople,
  wrongCode,
} from '../../../test/support/people/people.ts';
import { TRY_LIMITS, unlockPerson } from './lock-out.ts';
import { openPendingSignInByMail } from './open-session.ts';
import { findSession } from './sessions.ts';
import { signInWithPassword, signInWithSecondFactor } from './sign-in.ts';

const database = openTestDatabase(await freshDatabase(), 10, 60_000);
const { most, lockMs, forgetMs } = TRY_LIMITS;

function guess({ deps }: TestPeople, email: string, device: string | null = null) {
  return signInWithPassword(deps, { email, password: 'a wrong password', device });
}

async function lock(people: TestPeople, email: string): Promise<number> {
  for (let i = 0; i < most; i++)
    assert.deepEqual(await guess(people, email), { ok: false, error: { code: 'sign_in_failed' } });
  const locked = await guess(people, email);
  assert.ok(!locked.ok && locked.error.code === 'sign_in_locked', JSON.stringify(locked));
  return locked.error.untilMs;
}

test('threat 82: of 1,000 wrong passwords at once only ten are checked, and the correct one after them is refused', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const outcomes = await Promise.all(Array.from({ length: 1_000 }, () => guess(people, person.email)));
  const judged = outcomes.filter((each) => !each.ok && each.error.code === 'sign_in_failed');
  assert.equal(judged.length, most);
  const right = await signInWithPassword(people.deps, { ...person, device: null });
  assert.ok(!right.ok && right.error.code === 'sign_in_locked');
});

test('threat 82: each lock is longer than the previous one, for known and unknown addresses alike', async () => {
  const people = makePeople(database);
  const { clock } = people;
  const known = await addTestPerson(database, people);
  const startMs = clock.nowMs;
  for (const email of [known.email, 'stranger@people.example']) {
    clock.nowMs = startMs;
    for (const expectedMs of [...lockMs, lockMs.at(-1)!]) {
      const untilMs = await lock(people, email);
      assert.equal(untilMs, clock.nowMs + expectedMs, email);
      clock.nowMs = untilMs - 1;
      const still = await guess(people, email);
      assert.ok(!still.ok && still.error.code === 'sign_in_locked');
      clock.nowMs = untilMs;
    }
  }
});

test('after a day without attempts the count of an address starts again', async () => {
  const people = makePeople(database);
  const email = 'quiet@people.example';
  const untilMs = await lock(people, email);
  people.clock.nowMs = untilMs + forgetMs;
  assert.equal((await lock(people, email)) - people.clock.nowMs, lockMs[0]);
});

test('threat 82: rows of addresses that were not tried again are deleted', async () => {
  const people = makePeople(database);
  for (let i = 0; i < 30; i++) await guess(people, `once-${i}@people.example`);
  people.clock.nowMs += 10 * forgetMs;
  for (let i = 0; i < 30; i++) await guess(people, `later-${i}@people.example`);
  const { rows } = await database.query<{ count: string }>({
    text: 'select count(*) from sign_in_failures where updated_at < $1',
    values: [new Date(people.clock.nowMs - forgetMs)],
  });
  assert.equal(Number(rows[0]!.count), 0);
});

test('a typed address is stored as a hash, and an invalid address is not stored', async () => {
  const people = makePeople(database);
  await guess(people, 'my-secret-password@people.example');
  assert.deepEqual(await guess(people, 'my-secret-password'), {
    ok: false,
    error: { code: 'sign_in_failed' },
  });
  const { rowCount } = await database.query({
    text: `select from sign_in_failures where key like '%secret%'`,
  });
  assert.equal(rowCount, 0);
});

test('threat 82: wrong second factors in several pending sign-ins count towards the lock of the account', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  let wrong = 0;
  for (;;) {
    const pending = await signInWithPassword(deps, { ...person, device: null });
    if (!pending.ok) {
      assert.equal(pending.error.code, 'sign_in_locked');
      break;
    }
    for (let i = 0; i < 4; i++) {
      const factor = { kind: 'totp', code: wrongCode(person, clock.nowMs) } as const;
      const given = await signInWithSecondFactor(deps, { token: pending.value.token, factor, ...CLIENT });
      if (!given.ok && given.error.code === 'sign_in_failed') wrong++;
    }
  }
  assert.equal(wrong, 8, 'ten tries: two passwords and eight codes');
});

test('pending sign-ins that were opened before the lock do not bypass it', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const token = await pendingOf(people, person);
  for (let i = 0; i < most; i++) await guess(people, person.email);
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  const given = await signInWithSecondFactor(deps, { token, factor, ...CLIENT });
  assert.ok(!given.ok && given.error.code === 'sign_in_locked');
});

test('threat 104: strangers who lock an address do not lock its owner out of a session or a known device', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const first = await signIn(people, person);
  const untilMs = await lock(people, person.email);
  assert.ok(await findSession(people.deps, first.token), 'the session lives on');
  const again = await signIn(people, person, { device: first.device });
  assert.equal(again.device, first.device);
  // A device counts as known only for the person who signed in from it.
  const other = await addTestPerson(database, people);
  await lock(people, other.email);
  const foreign = await guess(people, other.email, first.device);
  assert.ok(!foreign.ok && foreign.error.code === 'sign_in_locked');
  assert.ok(people.clock.nowMs < untilMs);
});

test('threat 82: a known device can be locked too, and counts as unknown after a password change', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { device } = await signIn(people, person);
  for (let i = 0; i < most; i++) await guess(people, person.email, device);
  const locked = await guess(people, person.email, device);
  assert.ok(!locked.ok && locked.error.code === 'sign_in_locked');
  assert.ok(await pendingOf(people, person), 'the address itself is not locked by it');
  const changed = await people.deps.passwords.hash('another password');
  await people.deps.signIn.setPassword(person.id, changed, { actor: person.id, atMs: people.clock.nowMs });
  const afterwards = await guess(people, person.email, device);
  assert.ok(!afterwards.ok && afterwards.error.code === 'sign_in_failed', 'counted with the address again');
});

test('a device token that the service did not issue is replaced', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { device } = await signIn(people, person, { device: 'planted' });
  assert.notEqual(device, 'planted');
});

test('a link sent to the mailbox bypasses the lock, and the operator can remove the lock', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  await lock(people, person.email);
  const token = (await openPendingSignInByMail(deps, person.id))!;
  const factor = { kind: 'totp', code: person.code(clock.nowMs) } as const;
  assert.ok((await signInWithSecondFactor(deps, { token, factor, ...CLIENT })).ok);
  await unlockPerson(deps, person);
  assert.ok(await pendingOf(people, person));
});
