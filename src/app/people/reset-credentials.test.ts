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
} from '../../../test/support/people.ts';
import { beginTotpPending, confirmTotpPending } from './enrol-first-factor.ts';
import { openPendingByMail } from './open-session.ts';
import { hashToken } from './people-deps.ts';
import { resetCredentials } from './reset-credentials.ts';
import { findSession } from './sessions.ts';
import { signInWithPassword } from './sign-in.ts';

const database = openTestDatabase(await freshDatabase());

test('after a reset nothing of before opens anything, and the link to the mailbox begins anew', async () => {
  const people = makePeople(database);
  const { deps, clock } = people;
  const person = await addTestPerson(database, people);
  const { token } = await signIn(people, person);
  const pending = await pendingOf(people, person);
  await resetCredentials(deps, person, { actor: 'os:operator', atMs: clock.nowMs });
  assert.equal(await findSession(deps, token), undefined);
  assert.equal(await deps.signIn.pending(hashToken(pending), clock.nowMs), undefined);
  assert.deepEqual(await signInWithPassword(deps, { ...person, device: null }), {
    ok: false,
    error: { code: 'sign_in_failed' },
  });
  assert.deepEqual(await deps.signIn.secondFactorsOf(person.id), {
    totp: false,
    passkeys: [],
    recoveryCodesLeft: 0,
  });
  const anew = (await openPendingByMail(deps, person.id))!;
  const begun = await beginTotpPending(deps, anew);
  assert.ok(begun.ok);
  const code = codeOf(begun.value.secret, clock.nowMs);
  assert.ok((await confirmTotpPending(deps, { token: anew, code, ...CLIENT })).ok);
});
