import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseBusinessName, normalisePersonName } from './names.ts';
import { mayInvite, OPERATOR_ROLES } from './roles.ts';

const none = { disabled: false, operatorRole: null, businessRole: null };
const toBusiness = { businessId: 'biz_1', fromSignUp: false };
const toOperator = { businessId: null, fromSignUp: false };

test('the roles decide who may invite people to the operator and who may invite to a business', () => {
  for (const role of OPERATOR_ROLES) {
    const roles = { ...none, operatorRole: role };
    assert.equal(mayInvite('per_1', roles, toOperator), role === 'admin');
    assert.equal(mayInvite('per_1', roles, toBusiness), role === 'admin');
    const approves = role === 'admin' || role === 'approver';
    assert.equal(mayInvite('per_1', roles, { ...toBusiness, fromSignUp: true }), approves);
    assert.equal(mayInvite('per_1', { ...roles, disabled: true }, toOperator), false);
  }
  assert.equal(mayInvite('per_1', { ...none, businessRole: 'owner' }, toBusiness), true);
  assert.equal(
    mayInvite('per_1', { ...none, businessRole: 'owner' }, { ...toBusiness, fromSignUp: true }),
    false,
  );
  assert.equal(mayInvite('per_1', { ...none, businessRole: 'owner' }, toOperator), false);
  assert.equal(mayInvite('per_1', undefined, toBusiness), false);
  assert.equal(mayInvite('os:root', undefined, toOperator), true);
  assert.equal(mayInvite('key_1', undefined, toBusiness), false);
});

test('a name is one line of visible text, and the name of a person contains no link', () => {
  assert.equal(normalisePersonName('  Adaeze  Okafor-Bello '), 'Adaeze  Okafor-Bello');
  assert.equal(normalisePersonName('Ọlá Ńwá'), 'Ọlá Ńwá'.normalize('NFC'));
  assert.equal(normaliseBusinessName('A/S Kobo & "Sons"'), 'A/S Kobo & "Sons"');
  for (const name of ['a\tb', 'a\u0000', 'a\u200bb', 'a\u2066b', '\n'])
    assert.equal(normaliseBusinessName(name), undefined, JSON.stringify(name));
});
