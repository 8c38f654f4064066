// What a console route needs of the person who asks. Every route declares it, the guard alone judges it, and the table of
// roles (domain/people/roles.ts) says who has it.
import {
  type BusinessPermission,
  type BusinessRole,
  businessRoleMay,
  type OperatorPermission,
  operatorRoleMay,
} from '../../domain/people/roles.ts';
import type { PersonWithRoles } from '../../ports/people/people.ts';

/** What an operator sees of businesses on a route: it is in the audit log before it is shown (threat 85). */
export type OperatorReadScope =
  /** No data of a business. */
  | 'nothing'
  /** Of several businesses. */
  | 'several'
  /** Of the business in the path. */
  | 'business'
  /** Of the business that the record in the path belongs to. */
  | 'record';

export type RouteAccess =
  | 'public'
  | 'session'
  | { readonly business: BusinessPermission }
  | { readonly operator: OperatorPermission; readonly reads: OperatorReadScope };

export type AccessVerdict =
  | { readonly kind: 'allowed'; readonly role: BusinessRole | null }
  /** The person is no member: the business does not exist for them. */
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

/** As the OpenAPI document writes it in `x-permission`. */
export function permissionText(access: RouteAccess): string {
  if (typeof access === 'string') return access;
  return 'operator' in access ? `operator:${access.operator}` : `business:${access.business}`;
}

const BUSINESS_PATH = '/console/v1/businesses/:business_id';
const OPERATOR_PATH = '/console/v1/operator/';

/** A mistake in the declaration of a route; undefined when there is none. */
export function findDeclarationMistake(url: string, access: RouteAccess | undefined): string | undefined {
  if (access === undefined) return `${url} does not declare who may use it`;
  const kind = typeof access === 'string' ? access : 'operator' in access ? 'operator' : 'business';
  const ofBusiness = url === BUSINESS_PATH || url.startsWith(`${BUSINESS_PATH}/`);
  const ofOperator = url.startsWith(OPERATOR_PATH);
  if (ofBusiness !== (kind === 'business'))
    return `${url} is ${kind}: paths of one business need a permission in it`;
  if (ofOperator !== (kind === 'operator'))
    return `${url} is ${kind}: paths of the operator need a permission there`;
  if (typeof access === 'object' && 'reads' in access) {
    if (access.reads === 'business' && !url.includes(':business_id'))
      return `${url} names no business to record`;
    if (access.reads === 'record' && !url.includes(':record_id')) return `${url} names no record to record`;
  }
  return undefined;
}
