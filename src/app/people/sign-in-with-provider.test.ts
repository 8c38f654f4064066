// Tests sign-ins through an identity provider, with an OpenID Connect provider and a real database: who gets to the second
// factor, and who does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import {
  addOperator,
  type ProviderStage,
  stageProvider,
  vouched,
} from '../../../test/support/openid/people.ts';
import { addTestPerson, CLIENT, type TestPerson, wrongCode } from '../../../test/support/people/people.ts';
import { makeResetStore } from '../../adapters/postgres/people/resets.ts';
import { ProviderUnavailable } from '../../ports/people/identity-provider.ts';
import { beginFirstTotp } from './enrol-first-factor.ts';
import { findSession } from './sessions.ts';
import { signInWithSecondFactor } from './sign-in.ts';
import { beginProviderSignIn, finishProviderSignIn } from './sign-in-with-provider.ts';

const database = openTestDatabase(await freshDatabase(), 10, 60_000);
const FAILED = { ok: false, error: { code: 'sign_in_failed' } };
const ENDED = { ok: false, error: { code: 'attempt_ended' } };
const MINUTE_MS = 60_000;

async function signIn({ deps, remote }: ProviderStage) {
  const { url, key } = await beginProviderSignIn(deps);
  return finishProviderSignIn(deps, { key, query: (await remote.visit(url)).searchParams });
}

async function pendingToken(stage: ProviderStage): Promise<string> {
  const pending = await signIn(stage);
  assert.ok(pending.ok, JSON.stringify(pending));
  return pending.value.token;
}

async function finish(stage: ProviderStage, person: TestPerson, token: string) {
  stage.people.clock.nowMs += 30_000;
  const factor = { kind: 'totp', code: person.code(stage.people.clock.nowMs) } as const;
  return signInWithSecondFactor(stage.deps, { token, factor, ...CLIENT });
}

async function count(table: string, personId: string): Promise<number> {
  const text = `select count(*)::int as count from ${table} where person_id = $1`;
  const { rows } = await database.query<{ count: number }>({ text, values: [personId] });
  return rows[0]!.count;
}

async function boundEntries(personId: string): Promise<unknown[]> {
  const { rows } = await database.query({
    text: `select detail from audit_log where action = 'identity_bound' and actor = $1`,
    values: [personId],
  });
  return rows.map(({ detail }) => detail);
}

test('threat 82: the provider replaces only the password: there is no session before the second factor', async () => {
  const stage = await stageProvider(database);
  const { deps, operator, people } = stage;
  const pending = await signIn(stage);
  assert.ok(pending.ok);
  const { token, factors } = pending.value;
  assert.deepEqual(factors, { totp: true, passkeys: [], recoveryCodesLeft: 0 });
  assert.equal(await count('sessions', operator.id), 0);
  assert.equal(await findSession(deps, token), undefined, 'the pending token is no session');
  const guess = { kind: 'totp', code: wrongCode(operator, people.clock.nowMs) } as const;
  assert.deepEqual(await signInWithSecondFactor(deps, { token, factor: guess, ...CLIENT }), FAILED);
  const begun = await beginFirstTotp(deps, token);
  assert.deepEqual(begun, { ok: false, error: { code: 'has_second_factor' } });
  const opened = await finish(stage, operator, token);
  assert.ok(opened.ok);
  assert.equal((await findSession(deps, opened.value.token))?.person.id, operator.id);
});

test('threat 82: second factors after the provider are counted and locked like those after a password', async () => {
  const stage = await stageProvider(database);
  const { deps, operator, people } = stage;
  const codes: string[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    const token = await pendingToken(stage);
    for (let guess = 0; guess < 5; guess++) {
      const factor = { kind: 'totp', code: wrongCode(operator, people.clock.nowMs) } as const;
      const judged = await signInWithSecondFactor(deps, { token, factor, ...CLIENT });
      assert.ok(!judged.ok);
      codes.push(judged.error.code);
    }
  }
  assert.deepEqual(codes, [
    ...Array.from({ length: 10 }, () => 'sign_in_failed'),
    ...Array.from({ length: 5 }, () => 'sign_in_locked'),
  ]);
});

test('the first sign-in links the person by a verified address, once, and the audit log records it', async () => {
  const stage = await stageProvider(database);
  const { operator, remote } = stage;
  remote.user = { ...remote.user, email: operator.email.toUpperCase() };
  await pendingToken(stage);
  await pendingToken(stage);
  const { sub: subject } = vouched(operator);
  assert.deepEqual(await boundEntries(operator.id), [
    { person: operator.id, issuer: remote.issuer, subject },
  ]);
});

test('an address that the provider has not verified is linked to no person', async () => {
  const stage = await stageProvider(database);
  const { operator, remote } = stage;
  for (const emailVerified of [false, undefined, 'true']) {
    remote.user = { ...vouched(operator), emailVerified };
    assert.deepEqual(await signIn(stage), FAILED, String(emailVerified));
  }
  remote.user = { sub: 'no address' };
  assert.deepEqual(await signIn(stage), FAILED);
  assert.equal(await count('provided_identities', operator.id), 0);
  assert.equal(await count('sign_ins', operator.id), 0);
});

test('after the link is made, the identity counts and not the address: the address may change, be unverified, or belong to another operator', async () => {
  const stage = await stageProvider(database);
  const { deps, operator, people, remote } = stage;
  await pendingToken(stage);
  const other = await addOperator(database, people);
  const { sub } = vouched(operator);
  for (const user of [
    { sub },
    { sub, email: 'new@pay.example', emailVerified: false },
    { sub, email: other.email, emailVerified: true },
  ]) {
    remote.user = user;
    const opened = await finish(stage, operator, await pendingToken(stage));
    assert.ok(opened.ok, 'the second factor of the bound person fits');
    assert.equal((await findSession(deps, opened.value.token))?.person.id, operator.id);
  }
  assert.equal(await count('provided_identities', other.id), 0);
});

test('another identity with the same verified address does not open the account', async () => {
  const stage = await stageProvider(database);
  const { operator, remote } = stage;
  await pendingToken(stage);
  remote.user = { ...vouched(operator), sub: 'a new employee with the old address' };
  assert.deepEqual(await signIn(stage), FAILED);
  assert.equal(await count('sign_ins', operator.id), 1, 'that of the first sign-in alone');
  remote.user = vouched(operator);
  await pendingToken(stage);
});

test('of two first sign-ins at once, the second uses the link that the first one created', async () => {
  const stage = await stageProvider(database);
  const { deps, operator } = stage;
  await pendingToken(stage);
  let asked = 0;
  const personOf: typeof deps.providerStore.personOf = async (identity) =>
    asked++ === 0 ? undefined : deps.providerStore.personOf(identity); // as if it was queried before the first binding was stored
  const second = { ...stage, deps: { ...deps, providerStore: { ...deps.providerStore, personOf } } };
  await pendingToken(second);
  assert.equal((await boundEntries(operator.id)).length, 1);
});

test('only existing people of the operator can sign in through the provider', async () => {
  const stage = await stageProvider(database);
  const { deps, people, remote } = stage;
  remote.user = { sub: 'stranger', email: 'stranger@pay.example', emailVerified: true };
  assert.deepEqual(await signIn(stage), FAILED);
  assert.equal(await deps.people.findByEmail('stranger@pay.example'), undefined, 'no person is made');
  const member = await addTestPerson(database, people);
  remote.user = vouched(member);
  assert.deepEqual(await signIn(stage), FAILED);
  assert.equal(await count('provided_identities', member.id), 0);
});

test('a person who is disabled, or no longer an operator, is refused, linked or not', async () => {
  const stage = await stageProvider(database);
  const { deps, operator, people, remote } = stage;
  const doing = { actor: 'service:setup', atMs: people.clock.nowMs };
  const unbound = await addOperator(database, people);
  await pendingToken(stage);
  for (const person of [operator, unbound]) {
    remote.user = vouched(person);
    await deps.people.setDisabled(person.id, true, doing);
    assert.deepEqual(await signIn(stage), FAILED);
    await deps.people.setDisabled(person.id, false, doing);
    await deps.people.setOperatorRole(person.id, null, doing);
    assert.deepEqual(await signIn(stage), FAILED);
    assert.equal(await count('sign_ins', person.id), 0);
  }
  assert.equal(await count('provided_identities', unbound.id), 0);
});

test('threat 82: a person who is disabled between the provider and the pending sign-in gets no pending sign-in', async () => {
  const stage = await stageProvider(database);
  const { deps, operator, people } = stage;
  const find: typeof deps.people.find = async (id) => {
    const person = await deps.people.find(id);
    await deps.people.setDisabled(id, true, { actor: 'service:setup', atMs: people.clock.nowMs });
    return person;
  };
  const late = { ...stage, deps: { ...deps, people: { ...deps.people, find } } };
  assert.deepEqual(await signIn(late), FAILED);
  assert.equal(await count('sign_ins', operator.id), 0);
});

test('threat 82: a person without a second factor cannot sign in through the provider; after a reset only the mailed link works', async () => {
  const stage = await stageProvider(database);
  const { operator, people, remote } = stage;
  const missing = { ok: false, error: { code: 'second_factor_missing' } };
  await pendingToken(stage);
  const atMs = people.clock.nowMs;
  const about = { about: operator.id, recipient: operator.email, linkEndsAtMs: atMs + MINUTE_MS };
  const mail = { ...about, id: 'mal_reset', subject: 'A new beginning', body: 'a link', createdAtMs: atMs };
  const reset = { tokenHash: 'of the link', expiresAtMs: atMs + MINUTE_MS, mail };
  assert.equal(
    await makeResetStore(database).resetPerson(operator.id, reset, { actor: 'service:setup', atMs }),
    'reset',
  );
  assert.equal(await count('provided_identities', operator.id), 0, 'the identity is a credential, too');
  assert.deepEqual(await signIn(stage), missing);
  remote.user = vouched(await addOperator(database, people, { totp: false }));
  assert.deepEqual(await signIn(stage), missing);
});

test('an attempt works once, within ten minutes, and only in the browser that has its key', async () => {
  const stage = await stageProvider(database);
  const { deps, people, remote } = stage;
  remote.lies = { acceptsCodesAgain: true };
  const { url, key } = await beginProviderSignIn(deps);
  const query = (await remote.visit(url)).searchParams;
  for (const wrong of ['', 'x', `${key}x`, query.get('state')!]) {
    assert.deepEqual(await finishProviderSignIn(deps, { key: wrong, query }), ENDED);
  }
  const both = await Promise.all([key, key].map((each) => finishProviderSignIn(deps, { key: each, query })));
  assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true]);
  assert.deepEqual(await finishProviderSignIn(deps, { key, query }), ENDED);
  const late = await beginProviderSignIn(deps);
  const lateQuery = (await remote.visit(late.url)).searchParams;
  people.clock.nowMs += 10 * MINUTE_MS;
  assert.deepEqual(await finishProviderSignIn(deps, { key: late.key, query: lateQuery }), ENDED);
});

test('threat 81: a provider response for another sign-in attempt does not sign this browser in', async () => {
  const stage = await stageProvider(database);
  const { deps, remote } = stage;
  const attacker = await beginProviderSignIn(deps);
  const lured = (await remote.visit(attacker.url)).searchParams;
  const victim = await beginProviderSignIn(deps);
  assert.deepEqual(await finishProviderSignIn(deps, { key: victim.key, query: lured }), FAILED);
  assert.ok(!remote.requests.includes('POST /token'), 'the state is compared before the code is used');
});

test('if the provider is unreachable, the person is neither signed in nor refused', async () => {
  const stage = await stageProvider(database);
  const { operator, remote } = stage;
  remote.outages = { token: 'status_500' };
  await assert.rejects(signIn(stage), ProviderUnavailable);
  assert.equal(await count('provided_identities', operator.id), 0);
  remote.outages = {};
  await pendingToken(stage);
});
