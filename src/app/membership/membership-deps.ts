// Contains what the use-cases about members, invitations, sign-ups and new passwords share: their dependencies, who may use
// them, and their refusals.
import { isPerson } from '../../domain/people/actor.ts';
import {
  type BusinessPermission,
  businessRoleMay,
  type OperatorPermission,
  operatorRoleMay,
} from '../../domain/people/roles.ts';
import type { AuditStamp } from '../../ports/back-office.ts';
import type { MailQueue, NewMail } from '../../ports/mail.ts';
import type { InvitationStore, ResetStore, SignUpStore } from '../../ports/people/membership.ts';
import { newPeopleId, type PeopleDeps } from '../people/people-deps.ts';

export interface MembershipDeps extends PeopleDeps {
  readonly invitations: InvitationStore;
  readonly signUps: SignUpStore;
  readonly resets: ResetStore;
  readonly mails: MailQueue;
  readonly publicBaseUrl: string;
  /**
   * True if the service runs on its embedded database. Then the service approves sign-ups at once, and people can read the
   * mails.
   */
  readonly sandbox: boolean;
}

export interface MembershipRefusal<Code extends string> {
  readonly code: Code;
  readonly message: string;
}

export function refuse<Code extends string>(
  code: Code,
  message: string,
): { readonly ok: false; readonly error: MembershipRefusal<Code> } {
  return { ok: false, error: { code, message } };
}

export function refuseNotAllowed(): { readonly ok: false; readonly error: MembershipRefusal<'not_allowed'> } {
  return refuse('not_allowed', 'Your role does not allow this. Ask an owner of the business or an admin.');
}

export function makeAuditStamp({ clock }: Pick<PeopleDeps, 'clock'>, actor: string): AuditStamp {
  return { actor, atMs: clock.now() };
}

export interface RequiredPermission {
  readonly operator: OperatorPermission;
  /** A person who has this permission in this business may act, too. */
  readonly business?: { readonly id: string; readonly permission: BusinessPermission };
}

/**
 * Checks the currently stored role of the actor, not the role at sign-in. The command-line user and the service itself may act;
 * keys may not.
 */
export async function mayAct(
  { people }: Pick<PeopleDeps, 'people'>,
  actor: string,
  { operator, business }: RequiredPermission,
): Promise<boolean> {
  if (!isPerson(actor)) return actor.startsWith('os:') || actor.startsWith('service:');
  const person = await people.find(actor);
  if (person === undefined || person.disabledAtMs !== null) return false;
  if (person.operatorRole !== null && operatorRoleMay(person.operatorRole, operator)) return true;
  if (business === undefined) return false;
  const member = person.memberships.find(({ businessId }) => businessId === business.id);
  return member !== undefined && businessRoleMay(member.role, business.permission);
}

export function newMail(
  deps: Pick<PeopleDeps, 'clock' | 'entropy'>,
  mail: Pick<NewMail, 'about' | 'recipient' | 'subject' | 'body' | 'linkEndsAtMs'>,
): NewMail {
  return { id: newPeopleId(deps, 'mal'), createdAtMs: deps.clock.now(), ...mail };
}
