// Tests the audit log entries that triggers write about proposals, decisions, cases and freezes. The tests also check the
// subject of each entry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedBuys } from '../../../../test/http/settlement-fixtures.ts';
import { BUSINESS, databaseWithKeys, KEY, NOW } from '../../../../test/http/store-fixtures.ts';
import { verified } from '../../../../test/support/audit-stage.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { makeBackOffice } from '../back-office/back-office.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import { makePeopleStore } from '../people/people.ts';
import { makePostgresStore } from '../store.ts';
import { makeAuditLog } from './audit-log.ts';

const { database } = await databaseWithKeys();
const audit = makeAuditLog(database);
const store = makePostgresStore(database);
const backOffice = makeBackOffice(database);
const doing = { actor: 'os:ada', atMs: NOW };

async function newest(count = 1) {
  const entries = await audit.list({ limit: count });
  return entries.map(({ actor, action, subject, businessId, detail }) => ({
    ...{ actor, action, subject, businessId },
    detail: JSON.parse(detail),
  }));
}

test('a proposal and its decision are recorded with their actor and their business', async () => {
  const [buy] = await acceptedBuys(database, 1);
  for (const name of ['per_ada', 'per_obi'])
    await database.query({
      text: `with made as (
          insert into people (id, email, name, created_at) values ($1, $1 || '@example.com', $1, now())
          on conflict do nothing returning id)
        insert into operator_roles (person_id, role) select id, 'admin' from made`,
      values: [name],
    });
  await database.query({
    text: `insert into proposals (id, mode, action, subject_id, detail, proposed_by, proposed_at)
      values ('prp_1', 'test', 'release', $1, '{"note": 1}', 'per_ada', now())`,
    values: [buy!.id],
  });
  const [made] = await newest();
  assert.deepEqual(
    [
      made!.actor,
      made!.action,
      made!.subject,
      made!.businessId,
      made!.detail.subject_id,
      made!.detail.detail,
    ],
    ['per_ada', 'proposal.made', 'prp_1', BUSINESS, buy!.id, { note: 1 }],
  );
  await database.query({
    text: `insert into proposal_decisions (proposal_id, proposed_by, decided_by, approved, reason, at)
      values ('prp_1', 'per_ada', 'per_obi', false, 'not proven', now())`,
  });
  const [declined] = await newest();
  assert.deepEqual(
    [declined!.actor, declined!.action, declined!.subject, declined!.businessId, declined!.detail.reason],
    ['per_obi', 'proposal.declined', 'prp_1', BUSINESS, 'not proven'],
  );
  assert.equal(await audit.businessOf('prp_1'), BUSINESS);
});

test('a proposal that its author closes is recorded as withdrawn, not as declined', async () => {
  await database.query({
    text: `insert into proposals (id, mode, action, subject_id, detail, proposed_by, proposed_at)
      values ('prp_2', 'test', 'release', 'txn_x', '{}', 'per_ada', now())`,
  });
  await database.query({
    text: `insert into proposal_decisions (proposal_id, proposed_by, decided_by, approved, withdrawn, reason, at)
      values ('prp_2', 'per_ada', 'per_ada', false, true, 'a mistake', now())`,
  });
  const [withdrawn] = await newest();
  assert.deepEqual(
    [withdrawn!.actor, withdrawn!.action, withdrawn!.subject],
    ['per_ada', 'proposal.withdrawn', 'prp_2'],
  );
});

test('cases and freezes that settlement opens are recorded once, with settlement as the actor', async () => {
  const freeze = { businessId: BUSINESS, mode: 'live', reason: 'reversed' } as const;
  const openCase = {
    ...{ id: 'cas_1', kind: 'payment_reversed', mode: 'live', businessId: BUSINESS, amountMinor: 500n },
    ...{ transactionId: null, creditId: null },
  };
  await commitAll(store, [{ atMs: NOW, freeze, openCase } as never]);
  const two = await newest(2);
  assert.deepEqual(two.map(({ actor, action, businessId }) => [actor, action, businessId]).sort(), [
    ['service:settlement', 'business.frozen', BUSINESS],
    ['service:settlement', 'case.opened', BUSINESS],
  ]);
  const { no } = await audit.head();
  await commitAll(store, [{ atMs: NOW, freeze } as never]);
  assert.equal((await audit.head()).no, no, 'frozen already: nothing new');
});

test('freezes, closed cases and revoked keys of an operator are recorded once, with the operator as the actor', async () => {
  const { no } = await audit.head();
  const detail = { businessId: BUSINESS, mode: 'test', reason: 'asked for' };
  await makeRunAudited(database)(doing, 'business_frozen', detail, async (client) => {
    await client.query(
      `insert into freezes (business_id, mode, reason, at) values ($1, 'test', 'asked for', now())`,
      [BUSINESS],
    );
  });
  assert.equal((await audit.head()).no, no + 1);
  assert.deepEqual(await newest(), [
    { actor: 'os:ada', action: 'business_frozen', subject: BUSINESS, businessId: BUSINESS, detail },
  ]);
  const closing = { id: 'cas_1', outcome: 'recovered', closedBy: 'os:ada' } as const;
  assert.deepEqual(await store.commit([{ atMs: NOW, closeCases: [closing] }]), [{ kind: 'committed' }]);
  const [closed] = await newest();
  assert.deepEqual([closed!.action, closed!.subject, closed!.businessId], ['case.closed', 'cas_1', BUSINESS]);
  assert.deepEqual(await store.commit([{ atMs: NOW, closeCases: [closing] }]), [{ kind: 'stale' }]);
  await backOffice.revokeKey(KEY, doing);
  const [revoked] = await newest();
  assert.deepEqual([revoked!.action, revoked!.subject, revoked!.businessId], ['key_revoked', KEY, BUSINESS]);
  assert.equal(await backOffice.revokeKey(KEY, doing), false);
  assert.equal((await audit.head()).no, no + 3, 'nothing was changed, nothing is recorded');
});

test('changes to people are found by the person and by the business', async () => {
  const people = makePeopleStore(database);
  await people.add({ id: 'per_zainab', email: 'zainab@example.com', name: 'Zainab' }, doing);
  await people.setMember(BUSINESS, 'per_zainab', 'owner', doing);
  await people.setOperatorRole('per_zainab', 'auditor', doing);
  await people.setDisabled('per_zainab', true, doing);
  assert.deepEqual(
    (await newest(4)).map(({ action, subject, businessId }) => [action, subject, businessId]),
    [
      ['person_disabled', 'per_zainab', null],
      ['operator_role_set', 'per_zainab', null],
      ['member_set', 'per_zainab', BUSINESS],
      ['person_added', 'per_zainab', null],
    ],
  );
});

test('entries are found by business, actor, subject, action and time, newest first, page by page', async () => {
  const mine = await audit.list({ businessId: BUSINESS, action: 'key_', limit: 10 });
  assert.deepEqual(
    mine.map(({ action }) => action),
    ['key_revoked', 'key_added', 'key_added'],
  );
  const page = await audit.list({ businessId: BUSINESS, action: 'key_', limit: 1, beforeNo: mine[0]!.no });
  assert.deepEqual(page, [mine[1]]);
  const adas = await audit.list({ actor: 'os:ada', subject: 'cas_1', limit: 10 });
  assert.deepEqual(
    adas.map(({ action }) => action),
    ['case.closed'],
  );
  assert.deepEqual(await audit.list({ sinceMs: NOW + 1, untilMs: NOW + 2, limit: 10 }), []);
  assert.equal((await audit.list({ sinceMs: NOW, untilMs: NOW + 1, subject: 'cas_1', limit: 10 })).length, 2);
  assert.deepEqual(await audit.list({ action: 'key%', limit: 10 }), [], 'no pattern');
  assert.equal((await verified(database)).finding, undefined);
});
