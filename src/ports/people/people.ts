// Stores people, their roles and their memberships. Every write is recorded in the audit log in the same commit.
import type { BusinessRole, OperatorRole } from '../../domain/people/roles.ts';
import type { AuditStamp } from '../back-office.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly disabledAtMs: number | null;
  readonly createdAtMs: number;
}

export interface Membership {
  readonly businessId: string;
  readonly businessName: string;
  readonly role: BusinessRole;
}

export interface PersonWithRoles extends Person {
  readonly operatorRole: OperatorRole | null;
  readonly memberships: readonly Membership[];
}

export interface Member {
  readonly person: Person;
  readonly role: BusinessRole;
  readonly createdAtMs: number;
}

export interface PeopleStore {
  add(person: Pick<Person, 'id' | 'email' | 'name'>, doing: AuditStamp): Promise<'added' | 'email_taken'>;
  find(id: string): Promise<PersonWithRoles | undefined>;
  findByEmail(email: string): Promise<PersonWithRoles | undefined>;
  listOperators(): Promise<readonly PersonWithRoles[]>;
  setOperatorRole(
    id: string,
    role: OperatorRole | null,
    doing: AuditStamp,
  ): Promise<'set' | 'last_admin' | 'not_found'>;
  /**
   * Disables or enables a person. Disabling ends all sessions and pending sign-ins of this person. The operator may even
   * disable the last owner of a business.
   */
  setDisabled(id: string, disabled: boolean, doing: AuditStamp): Promise<'set' | 'last_admin' | 'not_found'>;

  listMembers(businessId: string): Promise<readonly Member[]>;
  /** Adds a person to a business, or changes the role of a member. A business keeps at least one owner. */
  setMember(
    businessId: string,
    personId: string,
    role: BusinessRole,
    doing: AuditStamp,
  ): Promise<'set' | 'last_owner'>;
  /** Changes the role of a member. A member who was removed at the same time is not added again. */
  changeMember(
    businessId: string,
    personId: string,
    role: BusinessRole,
    doing: AuditStamp,
  ): Promise<'set' | 'last_owner' | 'not_found'>;
  removeMember(
    businessId: string,
    personId: string,
    doing: AuditStamp,
  ): Promise<'removed' | 'last_owner' | 'not_found'>;
}
