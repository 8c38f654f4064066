// Tests the members of businesses and the operator's people on a real database: who may change whom, and that the last owner
// and the last admin stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { membershipStage } from '../../../test/support/stages/membership.ts';
import type { Result } from '../../domain/values/result.ts';
import { beginFirstTotp } from '../people/enrol-first-factor.ts';
import { changeMemberRole, listMembers, removeMember } from './members.ts';
import { listOperators, resetPerson, setOperatorRole, setPersonDisabled } from './operators.ts';
import { setNewPassword } from './reset-password.ts';

const { deps, database, person, tokenFor, count, logged } = await membershipStage();
const codeOf = (result: Result<unknown, { readonly code: string }>) => (result.ok ? 'ok' : result.error.code);
const at = (personId: string) => ({ businessId: BUSINESS, personId });
const owners = async () =>
  (await deps.people.listMembers(BUSINESS))
    .filter(({ role }) => role === 'owner')
    .map(({ person: { id } }) => id);

test('when two owners remove each other, or leave, at the same time, one owner stays', async () => {
  for (let round = 0; round < 5; round++) {
    const [first, second] = [await person({ member: 'owner' }), await person({ member: 'owner' })];
    const results = await Promise.all([
      removeMember(deps, at(first.id), second.id),
      removeMember(deps, at(second.id), round % 2 === 0 ? first.id : second.id),
    ]);
    const left = await owners();
    assert.equal(left.length, 1, JSON.stringify(results));
    assert.ok(results.some(({ ok }) => !ok));
    assert.equal(codeOf(await removeMember(deps, at(left[0]!), left[0]!)), 'last_owner');
    assert.equal(
      codeOf(await changeMemberRole(deps, { ...at(left[0]!), role: 'viewer' }, left[0]!)),
      'last_owner',
    );
    await database.query({ text: 'delete from memberships' });
  }
});

test('owners change and remove members, every member may leave, and other people cannot change or remove anyone', async () => {
  const owner = await person({ member: 'owner' });
  const developer = await person({ member: 'developer' });
  const viewer = await person({ member: 'viewer' });
  const stranger = await person();
  const change = { ...at(viewer.id), role: 'developer' };
  for (const { id } of [developer, viewer, stranger]) {
    assert.equal(codeOf(await changeMemberRole(deps, change, id)), 'not_allowed');
    assert.equal(codeOf(await removeMember(deps, at(owner.id), id)), 'not_allowed');
  }
  assert.equal(codeOf(await listMembers(deps, BUSINESS, stranger.id)), 'not_allowed');
  assert.equal(codeOf(await listMembers(deps, BUSINESS, viewer.id)), 'ok');
  assert.equal(codeOf(await changeMemberRole(deps, change, owner.id)), 'ok');
  assert.equal(codeOf(await changeMemberRole(deps, { ...change, role: 'admin' }, owner.id)), 'role_invalid');
  assert.equal(codeOf(await removeMember(deps, at(viewer.id), viewer.id)), 'ok');
  assert.equal(
    codeOf(await changeMemberRole(deps, change, owner.id)),
    'not_found',
    'the removed do not come back',
  );
  assert.equal(
    codeOf(await changeMemberRole(deps, { ...at(stranger.id), role: 'owner' }, owner.id)),
    'not_found',
  );
  assert.equal(codeOf(await removeMember(deps, at(stranger.id), owner.id)), 'not_found');
});

test('only admins change the operator’s people, and the last admin stays an admin', async () => {
  // The reviewers in the fixtures are admins too, so the test first deletes their roles.
  await database.query({ text: 'delete from operator_roles' });
  const admin = await person({ operator: 'admin' });
  const auditor = await person({ operator: 'auditor' });
  const stranger = await person();
  for (const id of [auditor.id, stranger.id, 'key_1']) {
    assert.equal(
      codeOf(await setOperatorRole(deps, { personId: auditor.id, role: 'admin' }, id)),
      'not_allowed',
    );
    assert.equal(
      codeOf(await setPersonDisabled(deps, { personId: admin.id, disabled: true }, id)),
      'not_allowed',
    );
    assert.equal(codeOf(await resetPerson(deps, admin.id, id)), 'not_allowed');
  }
  const listed = await listOperators(deps, auditor.id);
  assert.equal(listed.ok && listed.value.length, 2);
  assert.equal(
    codeOf(await setOperatorRole(deps, { personId: admin.id, role: null }, admin.id)),
    'last_admin',
  );
  assert.equal(
    codeOf(await setPersonDisabled(deps, { personId: admin.id, disabled: true }, admin.id)),
    'last_admin',
  );
  assert.equal(
    codeOf(await setOperatorRole(deps, { personId: stranger.id, role: 'admin' }, admin.id)),
    'not_found',
    'who has no role is invited',
  );
  assert.equal(
    codeOf(await setOperatorRole(deps, { personId: auditor.id, role: 'owner' }, admin.id)),
    'role_invalid',
  );
  assert.equal(
    codeOf(await setOperatorRole(deps, { personId: auditor.id, role: 'reviewer' }, admin.id)),
    'ok',
  );
  assert.equal(
    codeOf(await setPersonDisabled(deps, { personId: auditor.id, disabled: true }, admin.id)),
    'ok',
  );
  assert.equal(codeOf(await listOperators(deps, auditor.id)), 'not_allowed', 'a disabled person may nothing');
  assert.equal(
    codeOf(await setPersonDisabled(deps, { personId: auditor.id, disabled: false }, admin.id)),
    'ok',
  );
});

test('threat 82: a reset removes password and second factors, and only the mailed link sets a new password', async () => {
  const admin = await person({ operator: 'admin' });
  const { id, email } = await person({ operator: 'approver' });
  await database.query({
    text: `with p as (insert into passwords (person_id, stored, changed_at) values ($1, 'old', now())),
      i as (insert into provided_identities values ('https://login.example', $1, $1, now())),
      t as (insert into totp_secrets (person_id, sealed, fingerprint, confirmed_at) values ($1, 's', $1, now())),
      k as (insert into passkeys (credential_id, person_id, public_key, sign_count, transports, name, created_at)
        values ($1, $1, '', 0, '{}', 'key', now())),
      r as (insert into recovery_codes (hash, person_id) values ($1, $1))
      insert into sessions (id, person_id, token_hash, rotated_at, surface, address, user_agent, created_at, seen_at, expires_at)
      values ($1, $1, $1, now(), 'browser', '', '', now(), now(), now())`,
    values: [id],
  });
  assert.equal(codeOf(await resetPerson(deps, id, admin.id)), 'ok');
  for (const table of [
    'passwords',
    'totp_secrets',
    'passkeys',
    'recovery_codes',
    'provided_identities',
    'sign_ins',
  ])
    assert.equal(await count(table, id), 0, table);
  const { rows } = await database.query({
    text: 'select from sessions where person_id = $1 and ended_at is null',
    values: [id],
  });
  assert.equal(rows.length, 0);
  assert.equal((await logged('person_reset')).length, 1);
  const token = await tokenFor(email);
  const set = await setNewPassword(deps, { token, password: 'nine blue kites over town' });
  assert.ok(set.ok);
  assert.equal(codeOf(await beginFirstTotp(deps, set.value.pending)), 'ok', 'a second factor is set up anew');
  assert.equal(await count('passwords', id), 1);
  assert.equal(codeOf(await resetPerson(deps, 'per_unknown', admin.id)), 'not_found');
});

test('a reset returns only after the lock of the person is removed', async () => {
  const admin = await person({ operator: 'admin' });
  const { id } = await person({ operator: 'approver' });
  let hasEnded = false;
  const signIn: typeof deps.signIn = {
    ...deps.signIn,
    forgetTries: async (keys) => {
      await new Promise(setImmediate);
      await deps.signIn.forgetTries(keys);
      hasEnded = true;
    },
  };
  assert.equal(codeOf(await resetPerson({ ...deps, signIn }, id, admin.id)), 'ok');
  assert.equal(hasEnded, true);
});
