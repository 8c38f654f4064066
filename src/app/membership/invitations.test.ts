// Tests invitations on a real database. An invitation is bound to an address and a token and can be used once. It is valid only
// while the inviter has the right to invite.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { ORIGIN } from '../../../test/support/people/people.ts';
import { membershipStage, PASSWORD } from '../../../test/support/stages/membership.ts';
import { INVITATION_VALID_MS } from '../../domain/people/roles.ts';
import type { Result } from '../../domain/values/result.ts';
import { beginFirstTotp } from '../people/enrol-first-factor.ts';
import { hashToken } from '../people/people-deps.ts';
import {
  acceptInvitationAsNewPerson,
  acceptInvitationAsPerson,
  invitePerson,
  listInvitations,
  readInvitation,
  withdrawInvitation,
} from './invitations.ts';

const { deps, database, pass, person, tokenFor, count, logged } = await membershipStage();
let addresses = 0;
const newAddress = () => `new-${addresses++}@example.com`;
const codeOf = (result: Result<unknown, { readonly code: string }>) => (result.ok ? 'ok' : result.error.code);
const owner = await person({ member: 'owner' });
const admin = await person({ operator: 'admin' });
await person({ member: 'owner' });
await person({ operator: 'admin' });

async function invited(email: string, role = 'developer', by = owner.id): Promise<string> {
  const result = await invitePerson(deps, { email, businessId: BUSINESS, role }, by);
  assert.equal(codeOf(result), 'ok');
  return tokenFor(email);
}

const accept = (token: string, name = 'Bola Ade') =>
  acceptInvitationAsNewPerson(deps, { token, name, password: PASSWORD });

test('an invited person gets the role and a pending sign-in, but no session before a second factor', async () => {
  const email = newAddress();
  await invited(` ${email.toUpperCase()} `);
  const token = await tokenFor(email);
  const seen = await readInvitation(deps, token);
  assert.deepEqual(
    [seen?.email, seen?.businessName, seen?.role, seen?.known],
    [email, 'Fixture', 'developer', false],
  );
  const accepted = await accept(token);
  assert.ok(accepted.ok);
  const { personId, pending } = accepted.value;
  const found = (await deps.people.findByEmail(email))!;
  assert.equal(found.id, personId);
  assert.equal(found.operatorRole, null);
  assert.deepEqual(
    found.memberships.map(({ businessId, role }) => [businessId, role]),
    [[BUSINESS, 'developer']],
  );
  const row = await database.query<{ person_id: string }>({
    text: 'select person_id from sign_ins where token_hash = $1',
    values: [hashToken(pending)],
  });
  assert.equal(row.rows[0]?.person_id, personId);
  assert.equal(await count('sessions', personId), 0);
  assert.equal(codeOf(await beginFirstTotp(deps, pending)), 'ok', 'the first second factor comes next');
  const { stored } = (await deps.signIn.passwordOf(email))!;
  assert.equal(await deps.passwords.verify(PASSWORD, stored), true);
  assert.equal((await logged('invitation_accepted')).length, 1);
});

test('the token has 256 bits and is only in the mail, after a #; the database has only its hash, and used mails are cleared', async () => {
  const email = newAddress();
  const token = await invited(email);
  assert.equal(Buffer.from(token, 'base64url').length, 32);
  const { rows } = await database.query<{ all: string; body: string }>({
    text: `select (select json_agg(i)::text from invitations i) as all,
             (select body from mails where recipient = $1) as body`,
    values: [email],
  });
  assert.ok(!rows[0]!.all.includes(token) && rows[0]!.all.includes(hashToken(token)));
  assert.match(rows[0]!.body, new RegExp(`^${ORIGIN}/app/invitation#token=`, 'm'));
  await accept(token);
  assert.equal(await tokenFor(email), '');
});

test('another signed-in person cannot accept an invitation, because it is valid only for its address and token', async () => {
  const other = await person();
  const email = newAddress();
  const token = await invited(email);
  assert.equal(codeOf(await acceptInvitationAsPerson(deps, other.id, token)), 'other_address');
  assert.equal(codeOf(await acceptInvitationAsPerson(deps, owner.id, token)), 'other_address');
  assert.equal(codeOf(await accept(token)), 'ok', 'and the invited person still can');
  assert.deepEqual((await deps.people.find(other.id))!.memberships, []);
});

test('an existing person must sign in to accept, and cannot join as a new person', async () => {
  const known = await person();
  const token = await invited(known.email, 'viewer');
  assert.equal(codeOf(await accept(token)), 'sign_in_first');
  assert.equal(codeOf(await acceptInvitationAsPerson(deps, known.id, token)), 'ok');
  assert.equal((await deps.people.find(known.id))!.memberships[0]!.role, 'viewer');
  assert.equal(codeOf(await acceptInvitationAsPerson(deps, known.id, token)), 'invitation_ended');
});

test('of many acceptances at once only one counts, even with two invitations for one new address', async () => {
  const email = newAddress();
  const token = await invited(email);
  pass(1);
  const operatorInvitation = await invitePerson(deps, { email, businessId: null, role: 'auditor' }, admin.id);
  assert.ok(operatorInvitation.ok);
  const other = await tokenFor(email);
  const results = await Promise.all([...Array.from({ length: 6 }, () => accept(token)), accept(other)]);
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  assert.deepEqual(
    [...new Set(results.map(codeOf))].filter(
      (code) => code !== 'ok' && code !== 'invitation_ended' && code !== 'sign_in_first',
    ),
    [],
  );
  const known = await person();
  const again = await invited(known.email);
  const accepted = await Promise.all(
    Array.from({ length: 6 }, () => acceptInvitationAsPerson(deps, known.id, again)),
  );
  assert.equal(accepted.filter(({ ok }) => ok).length, 1);
});

test('an invitation ends after seven days, when it is withdrawn, and when the address is invited again', async () => {
  const late = newAddress();
  const lateToken = await invited(late);
  pass(INVITATION_VALID_MS - 1);
  assert.ok(await readInvitation(deps, lateToken));
  pass(1);
  assert.equal(codeOf(await accept(lateToken)), 'invitation_ended');

  const email = newAddress();
  const first = await invited(email, 'owner');
  const second = await invited(email, 'viewer');
  assert.notEqual(first, second);
  assert.equal(codeOf(await accept(first)), 'invitation_ended');
  const open = await listInvitations(deps, BUSINESS, owner.id);
  assert.ok(open.ok);
  const mine = open.value.filter((each) => each.email === email);
  assert.deepEqual(
    mine.map(({ role }) => role),
    ['viewer'],
  );
  const place = { id: mine[0]!.id, businessId: BUSINESS };
  assert.equal(
    codeOf(await withdrawInvitation(deps, { ...place, businessId: 'biz_other' }, admin.id)),
    'not_found',
  );
  assert.equal(codeOf(await withdrawInvitation(deps, place, owner.id)), 'ok');
  assert.equal(codeOf(await withdrawInvitation(deps, place, owner.id)), 'not_found');
  assert.equal(codeOf(await accept(second)), 'invitation_ended');
  assert.equal(await tokenFor(email), '');
});

test('many invitations of one address at once leave one open invitation', async () => {
  const email = newAddress();
  await Promise.all(
    Array.from({ length: 8 }, () =>
      invitePerson(deps, { email, businessId: BUSINESS, role: 'viewer' }, owner.id),
    ),
  );
  const open = await listInvitations(deps, BUSINESS, owner.id);
  assert.equal(open.ok && open.value.filter((each) => each.email === email).length, 1);
});

test('an invitation is void after its inviter was removed, was disabled or lost the right, and it never raises an existing role', async () => {
  const doing = { actor: 'os:test', atMs: deps.clock.now() };
  const losses: ((id: string) => Promise<unknown>)[] = [
    (id) => deps.people.removeMember(BUSINESS, id, doing),
    (id) => deps.people.setMember(BUSINESS, id, 'developer', doing),
    (id) => deps.people.setDisabled(id, true, doing),
  ];
  for (const lose of losses) {
    const inviter = await person({ member: 'owner' });
    const token = await invited(newAddress(), 'owner', inviter.id);
    await lose(inviter.id);
    assert.equal(await readInvitation(deps, token), undefined);
    assert.equal(codeOf(await accept(token)), 'invitation_ended');
  }
  const formerAdmin = await person({ operator: 'admin' });
  const email = newAddress();
  await invitePerson(deps, { email, businessId: null, role: 'admin' }, formerAdmin.id);
  await deps.people.setOperatorRole(formerAdmin.id, 'auditor', doing);
  assert.equal(codeOf(await accept(await tokenFor(email))), 'invitation_ended');
});

test('a person who already has a role is not invited, and an invitation changes no role', async () => {
  const member = await person({ member: 'viewer' });
  const given = { email: member.email, businessId: BUSINESS, role: 'owner' };
  assert.equal(codeOf(await invitePerson(deps, given, owner.id)), 'already_member');
  const later = await person();
  const token = await invited(later.email, 'owner');
  await deps.people.setMember(BUSINESS, later.id, 'viewer', { actor: 'os:test', atMs: deps.clock.now() });
  assert.equal(codeOf(await acceptInvitationAsPerson(deps, later.id, token)), 'already_member');
  assert.equal((await deps.people.find(later.id))!.memberships[0]!.role, 'viewer');
});

test('owners can invite to their own business, and admins everywhere; no other role, business or key can invite', async () => {
  const toBusiness = { email: newAddress(), businessId: BUSINESS, role: 'viewer' };
  const toOperator = { email: newAddress(), businessId: null, role: 'auditor' };
  for (const roles of [
    { member: 'developer' },
    { member: 'viewer' },
    { operator: 'reviewer' },
    { operator: 'approver' },
    { operator: 'auditor' },
    {},
  ] as const) {
    const { id } = await person(roles);
    assert.equal(codeOf(await invitePerson(deps, toBusiness, id)), 'not_allowed', JSON.stringify(roles));
    assert.equal(codeOf(await invitePerson(deps, toOperator, id)), 'not_allowed', JSON.stringify(roles));
    assert.equal(codeOf(await listInvitations(deps, BUSINESS, id)), 'not_allowed');
  }
  for (const actor of ['key_01', 'per_unknown', ''])
    assert.equal(codeOf(await invitePerson(deps, toBusiness, actor)), 'not_allowed');
  assert.equal(codeOf(await invitePerson(deps, toOperator, owner.id)), 'not_allowed');
  assert.equal(
    codeOf(await invitePerson(deps, { ...toBusiness, businessId: 'biz_other' }, owner.id)),
    'not_allowed',
  );
  assert.equal(
    codeOf(await invitePerson(deps, { ...toBusiness, businessId: 'biz_other' }, admin.id)),
    'not_found',
  );
  assert.equal(codeOf(await invitePerson(deps, toBusiness, admin.id)), 'ok');
  assert.equal(codeOf(await invitePerson(deps, { ...toOperator, role: 'owner' }, admin.id)), 'role_invalid');
  assert.equal(codeOf(await invitePerson(deps, { ...toBusiness, role: 'admin' }, owner.id)), 'role_invalid');
});

test('addresses and names that could forge a header or show a link are refused', async () => {
  for (const email of ['a@b.co\r\nBcc: c@d.co', 'a@b.co,c@d.co', 'Ada <a@b.co>', 'a b@c.co', ''])
    assert.equal(
      codeOf(await invitePerson(deps, { email, businessId: BUSINESS, role: 'viewer' }, owner.id)),
      'email_invalid',
    );
  const token = await invited(newAddress());
  for (const name of [
    '',
    ' ',
    'Ada\r\nBcc: x',
    'Ada\u2028Obi',
    '\u202eibO adA',
    'https://evil.example',
    'x'.repeat(101),
    '\ud800',
  ])
    assert.equal(codeOf(await accept(token, name)), 'name_invalid', JSON.stringify(name));
  assert.equal(
    codeOf(await acceptInvitationAsNewPerson(deps, { token, name: 'Bola Ade', password: 'short' })),
    'weak_password',
  );
  assert.equal(codeOf(await accept(token)), 'ok');
});
