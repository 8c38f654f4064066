// Tests that both people have the right to decide at the moment when the decision is written. The service reads the role again
// from the database, even if the command line or the console checked it before (threat 83).
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { agreeOnSetting, CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeBackOffice } from '../../adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../adapters/postgres/back-office/setting-store.ts';
import { OPERATOR_ROLES, type OperatorRole, operatorRoleMay } from '../../domain/people/roles.ts';
import { proposeReview } from './propose-review.ts';

const stage = await openReviewStage();
const { deps, database } = stage;

async function setRole(personId: string, role: OperatorRole | null): Promise<void> {
  await database.query({ text: 'delete from operator_roles where person_id = $1', values: [personId] });
  if (role === null) return;
  const text = 'insert into operator_roles (person_id, role) values ($1, $2)';
  await database.query({ text, values: [personId, role] });
}

async function setDisabled(personId: string, disabled: boolean): Promise<void> {
  const text = 'update people set disabled_at = case when $2 then now() end where id = $1';
  await database.query({ text, values: [personId, disabled] });
}

async function proposed() {
  const { id: subjectId } = await stage.credit(100_000n);
  const made = await proposeReview(deps, { action: 'write_off', subjectId, detail: {}, actor: MAKER });
  assert.ok(made.ok);
  return { subjectId, proposalId: made.value.id };
}

async function outcomeOf(proposalId: string, approve = true): Promise<string> {
  const request = { proposalId, actor: CHECKER, approve, reason: 'looked at' };
  const decided = await decideAs(database, deps, request);
  return decided.ok ? 'ok' : decided.error.code;
}

beforeEach(async () => {
  for (const person of [MAKER, CHECKER]) {
    await setRole(person, 'admin');
    await setDisabled(person, false);
  }
});

test('threat 83: the table of roles decides whether a role may approve, and whether its proposals are valid', async () => {
  for (const role of [...OPERATOR_ROLES, null]) {
    const mayApprove = role !== null && operatorRoleMay(role, 'money.approve');
    await setRole(CHECKER, role);
    assert.equal(
      await outcomeOf((await proposed()).proposalId),
      mayApprove ? 'ok' : 'not_allowed',
      `${role}`,
    );
    assert.equal(await outcomeOf((await proposed()).proposalId, false), mayApprove ? 'ok' : 'not_allowed');
    await setRole(CHECKER, 'approver');
    const { proposalId } = await proposed();
    await setRole(MAKER, role);
    const mayPropose = role !== null && operatorRoleMay(role, 'money.propose');
    assert.equal(await outcomeOf(proposalId), mayPropose ? 'ok' : 'not_possible', `by ${role}`);
    await setRole(MAKER, 'admin');
  }
});

test('threat 83: a disabled person cannot approve, and their proposals can only be declined', async () => {
  const { subjectId, proposalId } = await proposed();
  await setDisabled(CHECKER, true);
  assert.equal(await outcomeOf(proposalId), 'not_allowed');
  await setDisabled(CHECKER, false);
  await setDisabled(MAKER, true);
  assert.equal(await outcomeOf(proposalId), 'not_possible');
  assert.equal((await stage.findCredit(subjectId)).state, 'unmatched');
  assert.equal(await outcomeOf(proposalId, false), 'ok');
});

test('threat 83: two people cannot change a setting if one of them no longer has the role', async () => {
  const settings = {
    ...{ ...deps, database, settingDesk: makeSettingStore(database), backOffice: makeBackOffice(database) },
  };
  const vendor = { mode: 'live', name: 'Rights Ltd', number: '0123456785', bank: 'GTBank' } as const;
  const wanted = () => agreeOnSetting(settings, { setting: 'vendor_added', vendor });
  await setRole(CHECKER, 'reviewer');
  const refused = await wanted();
  assert.equal(refused.ok ? 'ok' : refused.error.code, 'not_allowed');
  assert.ok((await settings.backOffice.listVendors()).every(({ name }) => name !== vendor.name));
  await setRole(CHECKER, 'approver');
  assert.ok((await wanted()).ok);
});
