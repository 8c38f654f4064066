// Tests sign-in attempts at an identity provider and the identities that are bound to people. An attempt is used once and
// deleted later, and an identity belongs to one person.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { addTestPerson, makePeople } from '../../../../test/support/people/people.ts';
import { makeProviderStore } from './provided-identities.ts';

const database = openTestDatabase(await freshDatabase(), 10, 60_000);
const store = makeProviderStore(database);
const AT = Date.parse('2026-11-14T10:00:00.000Z');
const ATTEMPT = { state: 'state', nonce: 'nonce', verifier: 'verifier' };
const ISSUER = 'https://login.example';

async function countRows(text: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: `select count(*)::int as count from ${text}`,
  });
  return rows[0]!.count;
}

test('of many concurrent requests only one takes a sign-in attempt, and none takes it after it expired', async () => {
  await store.addAttempt('one', ATTEMPT, { atMs: AT, expiresAtMs: AT + 1_000 });
  const taken = await Promise.all(Array.from({ length: 10 }, () => store.takeAttempt('one', AT + 999)));
  assert.deepEqual(
    taken.filter((each) => each !== undefined),
    [ATTEMPT],
  );
  await store.addAttempt('late', ATTEMPT, { atMs: AT, expiresAtMs: AT + 1_000 });
  assert.equal(await store.takeAttempt('late', AT + 1_000), undefined);
});

test('abandoned attempts are deleted when new ones are added, even if none is ever completed', async () => {
  for (let each = 0; each < 30; each++)
    await store.addAttempt(`lost ${each}`, ATTEMPT, { atMs: AT, expiresAtMs: AT + 1_000 });
  const later = { atMs: AT + 1_000, expiresAtMs: AT + 2_000 };
  await Promise.all(Array.from({ length: 8 }, (_, each) => store.addAttempt(`new ${each}`, ATTEMPT, later)));
  assert.equal(await countRows(`provider_attempts where key_hash like 'lost %'`), 0);
  assert.equal(await countRows(`provider_attempts where key_hash like 'new %'`), 8);
});

test('an identity belongs to one person, a person has one identity per issuer, and of many concurrent bindings only the first succeeds', async () => {
  const people = makePeople(database);
  const [ada, obi] = [await addTestPerson(database, people), await addTestPerson(database, people)];
  const bind = (subject: string, personId: string, issuer = ISSUER) =>
    store.bind({ issuer, subject }, personId, AT);
  const first = await Promise.all(Array.from({ length: 5 }, () => bind('ada', ada.id)));
  assert.equal(first.filter(Boolean).length, 1);
  assert.equal(await bind('ada', obi.id), false);
  assert.equal(await bind('ada again', ada.id), false);
  assert.equal(await bind('Ada', obi.id), true, 'a subject is compared with its case');
  assert.equal(await bind('ada', ada.id, 'https://other.example'), true);
  assert.equal(await store.personOf({ issuer: ISSUER, subject: 'ada' }), ada.id);
  assert.equal(await store.personOf({ issuer: ISSUER, subject: 'ADA' }), undefined);
  assert.equal(await store.personOf({ issuer: 'https://third.example', subject: 'ada' }), undefined);
  assert.equal(
    await countRows(`audit_log where action = 'identity_bound'`),
    3,
    'nothing is logged when nothing changed',
  );
});
