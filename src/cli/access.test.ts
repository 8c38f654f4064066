// Every command has an entry in the access table, and the table fits the roles in domain/people/roles.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR_PERMISSIONS, OPERATOR_ROLES, type OperatorRole } from '../domain/people/roles.ts';
import type { PersonWithRoles } from '../ports/people/people.ts';
import { ACCESS, accessOf } from './access.ts';
import type { TerminalUser } from './command.ts';
import { COMMANDS } from './commands.ts';
import { checkCommandAccess } from './terminal-user.ts';

const NO_PERSON: TerminalUser = { actor: 'os:ada', signedIn: null };
const LIVE = ['--mode', 'live'];

function signedIn(operatorRole: OperatorRole | null): TerminalUser {
  const person = { id: 'per_1', email: 'ada@example.com', operatorRole } as PersonWithRoles;
  return { actor: person.id, signedIn: { person } as NonNullable<TerminalUser['signedIn']> };
}

function may(name: string, who: TerminalUser, args: readonly string[] = []): boolean {
  try {
    checkCommandAccess(accessOf(name), who, args);
    return true;
  } catch {
    return false;
  }
}

test('every command has an entry, and every entry has a command', () => {
  for (const { name } of COMMANDS) assert.doesNotThrow(() => accessOf(name), name);
  for (const entry of Object.keys(ACCESS))
    assert.ok(
      COMMANDS.some(({ name }) => name === entry || name.startsWith(`${entry} `)),
      entry,
    );
  assert.throws(() => accessOf('money print'), /has no entry/);
});

test('threat 83: every command is allowed or refused for each role as the role table says', () => {
  for (const { name } of COMMANDS) {
    const access = accessOf(name);
    for (const role of OPERATOR_ROLES) {
      const expected =
        typeof access === 'string' ||
        (OPERATOR_PERMISSIONS[access.permission] as readonly OperatorRole[]).includes(role);
      assert.equal(may(name, signedIn(role), LIVE), expected, `${name} as ${role}`);
    }
    assert.equal(may(name, signedIn(null), LIVE), typeof access === 'string', `${name} without a role`);
  }
});

test('without a signed-in person, reads work, and decisions about money are refused with a hint to sign in', () => {
  for (const name of ['reviews list', 'ledger balances', 'keys list', 'treasury', 'audit list'])
    assert.ok(may(name, NO_PERSON), name);
  for (const name of [
    'reviews approve',
    'reviews propose match',
    'reviews reject',
    'sends cancel',
    'people invite',
  ])
    assert.ok(!may(name, NO_PERSON), name);
  for (const name of [
    'keys add',
    'rates set',
    'ledger fund',
    'businesses wallet set',
    'businesses wallet remove',
  ]) {
    assert.ok(!may(name, NO_PERSON, LIVE), name);
    assert.ok(!may(name, NO_PERSON, ['--mode=live']), name);
    assert.ok(!may(name, NO_PERSON, ['--mode', 'test', '--mode', 'live']), name);
    assert.ok(!may(name, NO_PERSON, ['--mode=test', '--mode', 'live']), name);
    assert.ok(may(name, NO_PERSON, ['--mode', 'test']), name);
  }
  assert.throws(
    () => checkCommandAccess(accessOf('reviews approve'), NO_PERSON, []),
    /so a person must sign in\. Sign in first: bin\/sliproad login --email ADDRESS/,
  );
  for (const name of ['signer stop', 'movements pause', 'keys revoke']) assert.ok(may(name, NO_PERSON), name);
});
