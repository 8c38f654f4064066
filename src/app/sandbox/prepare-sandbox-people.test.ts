// Tests the people of a sandbox, who must not decide about real money.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { membershipStage } from '../../../test/support/stages/membership.ts';
import { signInWithPassword } from '../people/sign-in.ts';
import { disableSandboxPeople, prepareSandboxPeople } from './prepare-sandbox-people.ts';

const { deps, database, person } = await membershipStage();
// The reviewers of the fixture are admins, so the test deletes their roles first.
await database.query({ text: 'delete from operator_roles' });
const ACTOR = 'service:setup';

test('sandbox people are created once with working credentials and kept; if the file is lost, they get new credentials', async () => {
  const made = await prepareSandboxPeople(deps, BUSINESS, {}, ACTOR);
  for (const { email, password } of [made.operator!, made.approver!, made.member!])
    assert.ok((await signInWithPassword(deps, { email, password, device: null })).ok, email);
  assert.deepEqual(await prepareSandboxPeople(deps, BUSINESS, made, ACTOR), made);
  const anew = await prepareSandboxPeople(deps, BUSINESS, {}, ACTOR);
  assert.notEqual(anew.operator!.password, made.operator!.password);
  assert.notEqual(anew.operator!.totp_secret, made.operator!.totp_secret);
});

test('a second factor is confirmed only after it is stored, no matter how long that takes', async () => {
  const order: string[] = [];
  const signIn: typeof deps.signIn = {
    ...deps.signIn,
    setTotp: async (...given) => {
      await new Promise(setImmediate);
      await deps.signIn.setTotp(...given);
      order.push('stored');
    },
    confirmTotp: (...given) => {
      order.push('confirmed');
      return deps.signIn.confirmTotp(...given);
    },
  };
  await prepareSandboxPeople({ ...deps, signIn }, BUSINESS, {}, ACTOR);
  const each = ['stored', 'confirmed'];
  assert.deepEqual(order, [...each, ...each, ...each]);
});

test('threat 83: with a live network, sandbox people are disabled, and the last admin is disabled once there is another admin', async () => {
  const before = await prepareSandboxPeople(deps, BUSINESS, {}, ACTOR);
  assert.deepEqual(await disableSandboxPeople(deps, ACTOR), [before.operator!.email]);
  const { email, password } = before.approver!;
  assert.ok(!(await signInWithPassword(deps, { email, password, device: null })).ok);
  await person({ operator: 'admin' });
  assert.deepEqual(await disableSandboxPeople(deps, ACTOR), []);
  const after = await prepareSandboxPeople(deps, BUSINESS, before, ACTOR);
  assert.deepEqual(after, { operator: null, approver: null, member: null }, 'they stay disabled');
});
