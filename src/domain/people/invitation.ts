// Who may invite whom, and for how long. The same rule is asked when the invitation is made and when it is accepted: an
// invitation is worth as much as the right of the person who made it.
import { isPerson } from './actor.ts';
import { type BusinessRole, businessRoleMay, type OperatorRole, operatorRoleMay } from './roles.ts';

export const INVITATION_MS = 7 * 24 * 3_600_000;

/** Where an invitation leads: to a business, or to the operator. */
export type InvitedTo =
  | { readonly businessId: string; readonly role: BusinessRole }
  | { readonly businessId: null; readonly role: OperatorRole };

/** What the person who invites may do now. */
export interface InviterRoles {
  readonly disabled: boolean;
  readonly operatorRole: OperatorRole | null;
  /** In the business the invitation is for. */
  readonly businessRole: BusinessRole | null;
}

/** `roles`: undefined when the actor is not a person we know. `fromSignUp`: it was made by approving a sign-up. */
export function mayInvite(
  actor: string,
  roles: InviterRoles | undefined,
  invitation: { readonly businessId: string | null; readonly fromSignUp: boolean },
): boolean {
  // The user of the machine and the service itself. A key is neither: keys invite no people.
  if (!isPerson(actor)) return actor.startsWith('os:') || actor.startsWith('service:');
  if (roles === undefined || roles.disabled) return false;
  const { operatorRole, businessRole } = roles;
  if (invitation.businessId === null)
    return operatorRole !== null && operatorRoleMay(operatorRole, 'people.manage');
  const needed = invitation.fromSignUp ? 'businesses.approve' : 'businesses.manage';
  if (operatorRole !== null && operatorRoleMay(operatorRole, needed)) return true;
  return !invitation.fromSignUp && businessRole !== null && businessRoleMay(businessRole, 'members.manage');
}
