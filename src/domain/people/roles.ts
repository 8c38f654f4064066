// Defines who may do what: every route and command checks this table. A person has at most one role of the operator, and one
// role in each business they belong to.
import { isPerson } from './actor.ts';

export const BUSINESS_ROLES = ['owner', 'developer', 'viewer'] as const;
export const OPERATOR_ROLES = ['admin', 'reviewer', 'approver', 'auditor'] as const;
export type BusinessRole = (typeof BUSINESS_ROLES)[number];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The permissions of the roles of a business. They are valid only inside that business. */
export const BUSINESS_PERMISSIONS = {
  'transactions.read': ['owner', 'developer', 'viewer'],
  'transactions.write': ['owner', 'developer'],
  'keys.read': ['owner', 'developer'],
  'keys.manage': ['owner', 'developer'],
  'keys.manage_live': ['owner'],
  'webhooks.read': ['owner', 'developer', 'viewer'],
  'webhooks.manage': ['owner', 'developer'],
  'sandbox.use': ['owner', 'developer'],
  'members.read': ['owner', 'developer', 'viewer'],
  'members.manage': ['owner'],
  'business.manage': ['owner'],
} as const satisfies Readonly<Record<string, readonly BusinessRole[]>>;

/** The permissions of the roles of the operator. They are valid across all businesses. */
export const OPERATOR_PERMISSIONS = {
  'operations.read': ['admin', 'reviewer', 'approver', 'auditor'],
  /** May read the data of one business. The audit log records each read. */
  'businesses.read': ['admin', 'reviewer', 'approver', 'auditor'],
  'businesses.manage': ['admin'],
  'businesses.approve': ['admin', 'approver'],
  'people.read': ['admin', 'auditor'],
  'people.manage': ['admin'],
  'money.propose': ['admin', 'reviewer'],
  /** May approve a decision about money, but never the person's own proposal. */
  'money.approve': ['admin', 'approver'],
  /** May stop money at once. One person is enough for a stop, and lifting it needs two people. */
  'money.stop': ['admin', 'reviewer', 'approver'],
  'settings.propose': ['admin', 'reviewer'],
  'settings.approve': ['admin', 'approver'],
  /** May reconcile at once, in addition to the daily run, and edit the public holidays. */
  'reconciliation.run': ['admin', 'reviewer', 'approver'],
  /** May export reports that name people of all businesses. */
  'reports.export': ['admin', 'approver', 'auditor'],
  'audit.read': ['admin', 'auditor'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>;

export type BusinessPermission = keyof typeof BUSINESS_PERMISSIONS;
export type OperatorPermission = keyof typeof OPERATOR_PERMISSIONS;

export function businessRoleMay(role: BusinessRole, permission: BusinessPermission): boolean {
  return (BUSINESS_PERMISSIONS[permission] as readonly BusinessRole[]).includes(role);
}

export function operatorRoleMay(role: OperatorRole, permission: OperatorPermission): boolean {
  return (OPERATOR_PERMISSIONS[permission] as readonly OperatorRole[]).includes(role);
}

export function isBusinessRole(text: string): text is BusinessRole {
  return (BUSINESS_ROLES as readonly string[]).includes(text);
}

export function isOperatorRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text);
}

/**
 * Who may invite whom, and how long an invitation is valid. The same rule is checked when the invitation is made and when it is
 * accepted. An invitation is therefore valid only while its author may invite.
 */
export const INVITATION_VALID_MS = 7 * 24 * 3_600_000;

export type InvitationTarget =
  | { readonly businessId: string; readonly role: BusinessRole }
  | { readonly businessId: null; readonly role: OperatorRole };

export interface InviterRoles {
  readonly disabled: boolean;
  readonly operatorRole: OperatorRole | null;
  /** The inviter's role in the business of the invitation. */
  readonly businessRole: BusinessRole | null;
}

/** `roles` undefined: the actor is not a known person. `fromSignUp`: the approval of a sign-up made the invitation. */
export function mayInvite(
  actor: string,
  roles: InviterRoles | undefined,
  invitation: { readonly businessId: string | null; readonly fromSignUp: boolean },
): boolean {
  if (!isPerson(actor)) return actor.startsWith('os:') || actor.startsWith('service:');
  if (roles === undefined || roles.disabled) return false;
  const { operatorRole, businessRole } = roles;
  if (invitation.businessId === null)
    return operatorRole !== null && operatorRoleMay(operatorRole, 'people.manage');
  const needed = invitation.fromSignUp ? 'businesses.approve' : 'businesses.manage';
  if (operatorRole !== null && operatorRoleMay(operatorRole, needed)) return true;
  return !invitation.fromSignUp && businessRole !== null && businessRoleMay(businessRole, 'members.manage');
}
