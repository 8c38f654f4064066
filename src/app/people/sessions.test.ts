// Tests sessions: how long they live, how their token is replaced, and how they end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { addTestPerson, makePeople, pendingOf, signIn } from '../../../test/support/people/people.ts';
import { hashToken, SESSION_IDLE_MS, SESSION_MAX_MS, SESSION_ROTATE_EVERY_MS } from './people-deps.ts';
import { endAllSessions, endSession, findSession, listSessions } from './sessions.ts';

const database = openTestDatabase(await freshDatabase());
const OVERLAP_MS = 30_000;

test('threat 81: every sign-in gets a new token, and only its hash is stored', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const tokens = [(await signIn(people, person)).token, (await signIn(people, person)).token];
  assert.notEqual(tokens[0], tokens[1]);
  const { rows } = await database.query({
    text: 'select * from sessions where person_id = $1',
    values: [person.id],
  });
  for (const token of tokens) {
    assert.ok(!JSON.stringify(rows).includes(token));
    assert.ok(rows.some((row) => row.token_hash === hashToken(token)));
  }
});

test('threat 81: a browser’s token is replaced, and the old one expires shortly after', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { token, session } = await signIn(people, person);
  clock.nowMs += SESSION_ROTATE_EVERY_MS;
  const found = await Promise.all(Array.from({ length: 5 }, () => findSession(deps, token)));
  const replaced = found.flatMap((each) => each?.newToken ?? []);
  assert.equal(replaced.length, 1, 'one of five requests at once replaces it');
  assert.ok(found.every((each) => each?.session.id === session.id));
  clock.nowMs += OVERLAP_MS - 1;
  assert.equal((await findSession(deps, token))?.newToken, null, 'a request that was in progress');
  clock.nowMs += 1;
  assert.equal(await findSession(deps, token), undefined);
  assert.equal((await findSession(deps, replaced[0]!))?.session.id, session.id);
});

test('the token of the command line is not replaced, because no program could store a new one', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { token } = await signIn(people, person, { surface: 'command_line' });
  people.clock.nowMs += SESSION_ROTATE_EVERY_MS;
  assert.equal((await findSession(people.deps, token))?.newToken, null);
});

test('a session ends when it is idle', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { token } = await signIn(people, person, { surface: 'command_line' });
  clock.nowMs += SESSION_IDLE_MS - 1;
  assert.ok(await findSession(deps, token), 'and using it moves the end');
  clock.nowMs += SESSION_IDLE_MS - 1;
  assert.ok(await findSession(deps, token));
  clock.nowMs += SESSION_IDLE_MS;
  assert.equal(await findSession(deps, token), undefined);
  assert.deepEqual(await listSessions(deps, person.id), []);
});

test('a session ends at its maximum age, even if it is in use', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  let { token, session } = await signIn(people, person);
  const endMs = session.createdAtMs + SESSION_MAX_MS;
  for (; clock.nowMs < endMs; clock.nowMs = Math.min(endMs, clock.nowMs + SESSION_ROTATE_EVERY_MS))
    token = (await findSession(deps, token))!.newToken ?? token;
  assert.equal(await findSession(deps, token), undefined);
});

test('people can list and end only their own sessions', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const person = await addTestPerson(database, people);
  const other = await addTestPerson(database, people);
  const one = await signIn(people, person);
  const two = await signIn(people, person);
  assert.deepEqual(
    (await listSessions(deps, person.id)).map(({ id }) => id),
    [two.session.id, one.session.id],
  );
  assert.equal(await endSession(deps, other.id, one.session.id), false);
  assert.equal(await endSession(deps, person.id, one.session.id), true);
  assert.equal(await endSession(deps, person.id, one.session.id), false);
  assert.equal(await findSession(deps, one.token), undefined);
  assert.ok(await findSession(deps, two.token));
});

test('signing out everywhere ends all sessions, or all others, and pending sign-ins', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const person = await addTestPerson(database, people);
  const [one, two, three] = [
    await signIn(people, person),
    await signIn(people, person),
    await signIn(people, person),
  ];
  const pending = await pendingOf(people, person);
  assert.equal(await endAllSessions(deps, person.id, two.session.id), 2);
  assert.equal(await findSession(deps, one.token), undefined);
  assert.equal(await findSession(deps, three.token), undefined);
  assert.ok(await findSession(deps, two.token));
  assert.equal(await deps.signIn.pending(hashToken(pending), people.clock.nowMs), undefined);
  assert.equal(await endAllSessions(deps, person.id, null), 1);
  assert.equal(await findSession(deps, two.token), undefined);
});

test('the sessions of a disabled person are not valid', async () => {
  const people = makePeople(database);
  const person = await addTestPerson(database, people);
  const { token } = await signIn(people, person);
  await database.query({ text: 'update people set disabled_at = now() where id = $1', values: [person.id] });
  assert.equal(await findSession(people.deps, token), undefined);
});
