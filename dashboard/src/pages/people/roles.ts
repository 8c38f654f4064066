// What each role may do, in one line, for those who give it. docs/people.md has the whole table.
import type { BusinessRole, OperatorRole } from '../../api/session.ts';

export interface RoleChoice<Role extends string> {
  readonly role: Role;
  readonly label: string;
  readonly may: string;
}

export const BUSINESS_ROLES: readonly RoleChoice<BusinessRole>[] = [
  { role: 'owner', label: 'Owner', may: 'Everything: people, live keys and the business itself.' },
  {
    role: 'developer',
    label: 'Developer',
    may: 'Test keys, webhooks, wallets of transactions, and payments of the sandbox.',
  },
  { role: 'viewer', label: 'Viewer', may: 'Sees transactions, webhooks and members. Changes nothing.' },
];

export const OPERATOR_ROLES: readonly RoleChoice<OperatorRole>[] = [
  {
    role: 'admin',
    label: 'Admin',
    may: 'Everything, except to approve what they proposed themselves. Give it to two people.',
  },
  {
    role: 'reviewer',
    label: 'Reviewer',
    may: 'Proposes what happens with money and settings, and stops money.',
  },
  {
    role: 'approver',
    label: 'Approver',
    may: 'Approves or declines what another person proposed, decides about sign-ups, and stops money.',
  },
  {
    role: 'auditor',
    label: 'Auditor',
    may: 'Sees everything, the audit log and the people included. Changes nothing.',
  },
];

export function labelOf(role: string): string {
  return [...BUSINESS_ROLES, ...OPERATOR_ROLES].find((each) => each.role === role)?.label ?? role;
}
