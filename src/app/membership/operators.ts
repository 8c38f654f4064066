// Manages the operator's people: lists them, changes their role, disables or enables them, and resets people who lost their
// password or second factor. At least one admin can always sign in.
import { isOperatorRole } from '../../domain/people/roles.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { PersonWithRoles } from '../../ports/people/people.ts';
import { unlockPerson } from '../people/lock-out.ts';
import { adminResetText } from './mail-texts.ts';
import {
  type MembershipDeps,
  type MembershipRefusal,
  makeAuditStamp,
  mayAct,
  refuse,
  refuseNotAllowed,
} from './membership-deps.ts';
import { newReset } from './reset-password.ts';

export type OperatorRefusal = MembershipRefusal<'not_allowed' | 'role_invalid' | 'not_found' | 'last_admin'>;

export async function listOperators(
  deps: MembershipDeps,
  actor: string,
): Promise<Result<readonly PersonWithRoles[], MembershipRefusal<'not_allowed'>>> {
  if (!(await mayAct(deps, actor, { operator: 'people.read' }))) return refuseNotAllowed();
  return ok(await deps.people.listOperators());
}

/** If the role is null, removes the person's role at the operator. A person without a role needs an invitation to get one. */
export async function setOperatorRole(
  deps: MembershipDeps,
  { personId, role }: { readonly personId: string; readonly role: string | null },
  actor: string,
): Promise<Result<null, OperatorRefusal>> {
  if (!(await mayAct(deps, actor, { operator: 'people.manage' }))) return refuseNotAllowed();
  if (role !== null && !isOperatorRole(role))
    return refuse('role_invalid', 'role must be admin, reviewer, approver or auditor.');
  if ((await deps.people.find(personId))?.operatorRole == null) return refuseUnknownPerson();
  return toResult(await deps.people.setOperatorRole(personId, role, makeAuditStamp(deps, actor)));
}

/** Disables or enables a person. Disabling a person ends all sessions of this person at once. */
export async function setPersonDisabled(
  deps: MembershipDeps,
  { personId, disabled }: { readonly personId: string; readonly disabled: boolean },
  actor: string,
): Promise<Result<null, OperatorRefusal>> {
  if (!(await mayAct(deps, actor, { operator: 'people.manage' }))) return refuseNotAllowed();
  return toResult(await deps.people.setDisabled(personId, disabled, makeAuditStamp(deps, actor)));
}

/**
 * Removes the password and the second factors of a person, and mails a link to set a new password. The old password must go
 * too: a person without a second factor could set up a new one with the old password alone.
 */
export async function resetPerson(
  deps: MembershipDeps,
  personId: string,
  actor: string,
): Promise<Result<null, OperatorRefusal>> {
  if (!(await mayAct(deps, actor, { operator: 'people.manage' }))) return refuseNotAllowed();
  const person = await deps.people.find(personId);
  if (person === undefined) return refuseUnknownPerson();
  const reset = newReset(deps, person.email, adminResetText);
  const outcome = await deps.resets.resetPerson(personId, reset, makeAuditStamp(deps, actor));
  if (outcome !== 'reset') return refuseUnknownPerson();
  // Wrong tries before the reset must not lock the person out after it.
  await unlockPerson(deps, person);
  return ok(null);
}

function toResult(outcome: 'set' | 'last_admin' | 'not_found'): Result<null, OperatorRefusal> {
  switch (outcome) {
    case 'set':
      return ok(null);
    case 'last_admin':
      return refuse(
        'last_admin',
        'The operator must keep at least one admin. Make another person an admin first.',
      );
    case 'not_found':
      return refuseUnknownPerson();
  }
}

const refuseUnknownPerson = () => refuse('not_found', 'There is no such person.');
