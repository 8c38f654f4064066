// What the role of the person who is signed in allows on the operator's pages. The service decides; the pages only leave out
// buttons that it would refuse.
import { type OperatorRole, useSignedIn } from '../../api/session.ts';

const RIGHTS = {
  propose: ['admin', 'reviewer'],
  stop: ['admin', 'reviewer', 'approver'],
  reconcile: ['admin', 'reviewer', 'approver'],
  export: ['admin', 'approver', 'auditor'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>;

export function useMay(right: keyof typeof RIGHTS): boolean {
  const role = useSignedIn().person.operator_role;
  return role !== null && (RIGHTS[right] as readonly OperatorRole[]).includes(role);
}
