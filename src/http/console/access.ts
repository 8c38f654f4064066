// Defines the access that a console route requires from a person. Every route declares its access, only the guard checks it,
// and the role table (domain/people/roles.ts) defines which roles have it.
import {
  type BusinessPermission,
  type BusinessRole,
  businessRoleMay,
  type OperatorPermission,
  operatorRoleMay,
} from '../../domain/people/roles.ts';
import type { PersonWithRoles } from '../../ports/people/people.ts';

/**
 * Whose business data a route shows to an operator. The service records the read in the audit log before it shows the data
 * (threat 85).
 */
export type OperatorReadScope =
  | 'nothing'
  | 'several'
  /** The route shows data of the business in its path. */
  | 'business'
  /** The route shows data of the business that owns the record in its path. */
  | 'record';

export type RouteAccess =
  | 'public'
  | 'session'
  | { readonly business: BusinessPermission }
  | { readonly operator: OperatorPermission; readonly reads: OperatorReadScope };

export type AccessVerdict =
  | { readonly kind: 'allowed'; readonly role: BusinessRole | null }
  /** The person is not a member of the business, so the response says that the business does not exist. */
  | { readonly kind: 'no_such_business' }
  | { readonly kind: 'not_allowed' };

export function checkAccess(
  access: Exclude<RouteAccess, 'public'>,
  person: Pick<PersonWithRoles, 'operatorRole' | 'memberships'>,
  businessId: string | undefined,
): AccessVerdict {
  if (access === 'session') return { kind: 'allowed', role: null };
  if ('operator' in access) {
    const { operatorRole } = person;
    const allowed = operatorRole !== null && operatorRoleMay(operatorRole, access.operator);
    return allowed ? { kind: 'allowed', role: null } : { kind: 'not_allowed' };
  }
  const role = person.memberships.find((each) => each.businessId === businessId)?.role;
  if (role === undefined) return { kind: 'no_such_business' };
  return businessRoleMay(role, access.business) ? { kind: 'allowed', role } : { kind: 'not_allowed' };
}

export function permissionText(access: RouteAccess): string {
  if (typeof access === 'string') return access;
  return 'operator' in access ? `operator:${access.operator}` : `business:${access.business}`;
}

const BUSINESS_PATH = '/console/v1/businesses/:business_id';
const OPERATOR_PATH = '/console/v1/operator/';

export function findDeclarationMistake(url: string, access: RouteAccess | undefined): string | undefined {
  if (access === undefined) return `${url} does not declare who may use it`;
  const kind = typeof access === 'string' ? access : 'operator' in access ? 'operator' : 'business';
  const ofBusiness = url === BUSINESS_PATH || url.startsWith(`${BUSINESS_PATH}/`);
  const ofOperator = url.startsWith(OPERATOR_PATH);
  if (ofBusiness !== (kind === 'business'))
    return `${url} is ${kind}: paths of one business, and only these, need a business permission`;
  if (ofOperator !== (kind === 'operator'))
    return `${url} is ${kind}: paths of the operator, and only these, need an operator permission`;
  if (typeof access === 'object' && 'reads' in access) {
    if (access.reads === 'business' && !url.includes(':business_id'))
      return `${url} has no :business_id for the audit log`;
    if (access.reads === 'record' && !url.includes(':record_id'))
      return `${url} has no :record_id for the audit log`;
  }
  return undefined;
}
