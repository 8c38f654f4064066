// Tests how businesses sign up on a real database. They wait for the operator, and an approval creates either everything or
// nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membershipStage, PASSWORD } from '../../../test/support/stages/membership.ts';
import type { Result } from '../../domain/values/result.ts';
import { acceptInvitationAsNewPerson, acceptInvitationAsPerson } from './invitations.ts';
import { listMails } from './members.ts';
import { approveSignUp, declineSignUp, listSignUps, signUp } from './sign-up.ts';

const { deps, sandboxDeps, database, person, tokenFor, logged } = await membershipStage();
const codeOf = (result: Result<unknown, { readonly code: string }>) => (result.ok ? 'ok' : result.error.code);
const admin = await person({ operator: 'admin' });
const approver = await person({ operator: 'approver' });
let tags = 0;
const fresh = () => ({
  businessName: 'Kola Trade',
  linkTag: `kola-${tags++}`,
  email: `kola-${tags}@example.com`,
});

async function waiting(given = fresh()): Promise<string> {
  const result = await signUp(deps, given);
  assert.ok(result.ok);
  assert.equal(result.value.state, 'waiting');
  return result.value.id;
}

test('a sign-up waits, and its approval creates the business and its owner’s invitation', async () => {
  const given = fresh();
  const id = await waiting(given);
  assert.equal(await tokenFor(given.email), '', 'no mail before the approval');
  const listed = await listSignUps(deps, 'waiting', approver.id);
  assert.ok(listed.ok && listed.value.some((each) => each.id === id));
  const approved = await approveSignUp(deps, id, approver.id);
  assert.ok(approved.ok);
  const token = await tokenFor(given.email);
  assert.equal(
    codeOf(await acceptInvitationAsNewPerson(deps, { token, name: 'Kola Ojo', password: PASSWORD })),
    'ok',
  );
  const [member] = await deps.people.listMembers(approved.value.businessId);
  assert.deepEqual([member!.person.email, member!.role], [given.email, 'owner']);
  assert.equal((await logged('sign_up_approved')).length, 1);
  assert.equal(codeOf(await approveSignUp(deps, id, admin.id)), 'not_waiting');
  assert.equal(codeOf(await declineSignUp(deps, id, admin.id)), 'not_waiting');
});

test('the sandbox approves at once', async () => {
  const given = fresh();
  const result = await signUp(sandboxDeps, given);
  assert.ok(result.ok);
  assert.equal(result.value.state, 'approved');
  const token = await tokenFor(given.email);
  assert.notEqual(token, '');
  assert.equal(result.value.invitationToken, token, 'the sandbox sends no mail: the page needs it');
});

test('outside the sandbox the token of the owner’s invitation is only in the mail', async () => {
  const result = await signUp(deps, fresh());
  assert.equal(result.ok && result.value.invitationToken, null);
});

test('a link tag that a business or a waiting sign-up already has is refused', async () => {
  assert.equal(codeOf(await signUp(deps, { ...fresh(), linkTag: 'fixture' })), 'link_tag_taken');
  const given = fresh();
  const results = await Promise.all(Array.from({ length: 5 }, () => signUp(deps, given)));
  assert.deepEqual(results.map(codeOf).sort(), [
    'link_tag_taken',
    'link_tag_taken',
    'link_tag_taken',
    'link_tag_taken',
    'ok',
  ]);
  const raced = await waiting();
  const { linkTag } = (await deps.signUps.find(raced))!;
  await database.query({
    text: `insert into businesses (id, name, link_tag, created_at) values ('biz_raced', 'Raced', $1, now())`,
    values: [linkTag],
  });
  assert.equal(codeOf(await approveSignUp(deps, raced, admin.id)), 'link_tag_taken');
  assert.equal((await deps.signUps.find(raced))!.state, 'waiting', 'all of it or nothing');
});

test('two approvals at once create one business', async () => {
  const id = await waiting();
  const results = await Promise.all([
    approveSignUp(deps, id, admin.id),
    approveSignUp(deps, id, approver.id),
  ]);
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  const { rows } = await database.query({
    text: 'select from invitations where sign_up_id = $1',
    values: [id],
  });
  assert.equal(rows.length, 1);
});

test('the response is the same for a known address, and that person accepts after signing in', async () => {
  const known = await person();
  const answers = [];
  for (const email of [known.email, 'unknown-to-all@example.com']) {
    const result = await signUp(sandboxDeps, { ...fresh(), email });
    assert.ok(result.ok);
    answers.push(Object.keys(result.value).join(), result.value.state);
  }
  assert.deepEqual(answers.slice(0, 2), answers.slice(2));
  assert.equal(codeOf(await acceptInvitationAsPerson(deps, known.id, await tokenFor(known.email))), 'ok');
});

test('the owner’s invitation is void after the approver has lost the right to approve', async () => {
  const former = await person({ operator: 'approver' });
  const given = fresh();
  await approveSignUp(deps, await waiting(given), former.id);
  await deps.people.setOperatorRole(former.id, null, { actor: 'os:test', atMs: deps.clock.now() });
  const accepted = await acceptInvitationAsNewPerson(deps, {
    token: await tokenFor(given.email),
    name: 'Kola Ojo',
    password: PASSWORD,
  });
  assert.equal(codeOf(accepted), 'invitation_ended');
});

test('only admins and approvers decide; declining sends a mail without a link', async () => {
  const id = await waiting();
  for (const roles of [{ operator: 'reviewer' }, { operator: 'auditor' }, { member: 'owner' }, {}] as const) {
    const { id: actor } = await person(roles);
    assert.equal(codeOf(await approveSignUp(deps, id, actor)), 'not_allowed');
    assert.equal(codeOf(await declineSignUp(deps, id, actor)), 'not_allowed');
  }
  assert.equal(codeOf(await declineSignUp(deps, id, admin.id)), 'ok');
  assert.equal(codeOf(await approveSignUp(deps, id, admin.id)), 'not_waiting');
  assert.equal(codeOf(await approveSignUp(deps, 'sgn_unknown', admin.id)), 'not_found');
});

test('invalid names, link tags and addresses are refused with the field', async () => {
  for (const businessName of ['', 'a\nb', '\u2029', 'x'.repeat(141)])
    assert.equal(codeOf(await signUp(deps, { ...fresh(), businessName })), 'business_name_invalid');
  for (const linkTag of ['', 'ab', 'Has-Case', '-x-', 'a b c'])
    assert.equal(codeOf(await signUp(deps, { ...fresh(), linkTag })), 'link_tag_invalid');
  assert.equal(codeOf(await signUp(deps, { ...fresh(), email: 'x@y\r\n.co' })), 'email_invalid');
});

test('the text of mails is shown only in the sandbox, and only to people who may read data about people', async () => {
  const given = fresh();
  await signUp(sandboxDeps, given);
  const shown = await listMails(sandboxDeps, admin.id);
  const hidden = await listMails(deps, admin.id);
  assert.ok(shown.ok && hidden.ok);
  assert.match(shown.value.find(({ recipient }) => recipient === given.email)!.body!, /#token=/);
  assert.ok(hidden.value.length > 0 && hidden.value.every(({ body }) => body === null));
  assert.equal(codeOf(await listMails(sandboxDeps, approver.id)), 'not_allowed');
});
