// Tests that all people of the operator get a notice of each invitation to the operator. Otherwise one admin alone could act as
// two people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membershipStage } from '../../../test/support/stages/membership.ts';
import { invitePerson } from './invitations.ts';

const { deps, database, person } = await membershipStage();
await database.query({ text: 'delete from operator_roles' });

test('threats 83, 105: when a person is invited to the operator, its other people get a notice without the link', async () => {
  const admin = await person({ operator: 'admin' });
  const auditor = await person({ operator: 'auditor' });
  const gone = await person({ operator: 'approver' });
  await deps.people.setDisabled(gone.id, true, { actor: admin.id, atMs: deps.clock.now() });
  const invited = await invitePerson(
    deps,
    { email: 'second.me@example.com', businessId: null, role: 'approver' },
    admin.id,
  );
  assert.ok(invited.ok);
  const mails = await deps.mails.list(10);
  assert.deepEqual(
    mails.map(({ recipient }) => recipient).sort(),
    ['second.me@example.com', auditor.email].sort(),
  );
  const notice = mails.find(({ recipient }) => recipient === auditor.email)!;
  assert.match(notice.subject, /second\.me@example\.com was invited to join the operator as approver/);
  assert.doesNotMatch(notice.body ?? '', /token=/);
});

test('an invitation that is refused sends nothing', async () => {
  const reviewer = await person({ operator: 'reviewer' });
  const before = (await deps.mails.list(50)).length;
  const refused = await invitePerson(
    deps,
    { email: 'x@example.com', businessId: null, role: 'admin' },
    reviewer.id,
  );
  assert.ok(!refused.ok && refused.error.code === 'not_allowed');
  assert.equal((await deps.mails.list(50)).length, before);
});
