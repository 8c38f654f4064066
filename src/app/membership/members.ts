// Manages the members of a business: lists them, changes their role and removes them. A member may also leave. A business
// always keeps at least one owner.
import { isBusinessRole } from '../../domain/people/roles.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { StoredMail } from '../../ports/mail.ts';
import type { Member } from '../../ports/people/people.ts';
import {
  type MembershipDeps,
  type MembershipRefusal,
  makeAuditStamp,
  mayAct,
  refuse,
  refuseNotAllowed,
} from './membership-deps.ts';

type MemberDeps = Pick<MembershipDeps, 'people' | 'clock'>;

export type MemberRefusal = MembershipRefusal<'not_allowed' | 'role_invalid' | 'not_found' | 'last_owner'>;

export async function listMembers(
  deps: MemberDeps,
  businessId: string,
  actor: string,
): Promise<Result<readonly Member[], MembershipRefusal<'not_allowed'>>> {
  const business = { id: businessId, permission: 'members.read' } as const;
  if (!(await mayAct(deps, actor, { operator: 'businesses.read', business }))) return refuseNotAllowed();
  return ok(await deps.people.listMembers(businessId));
}

export async function changeMemberRole(
  deps: MemberDeps,
  given: { readonly businessId: string; readonly personId: string; readonly role: string },
  actor: string,
): Promise<Result<null, MemberRefusal>> {
  const { businessId, personId, role } = given;
  if (!(await mayManageMembers(deps, businessId, actor))) return refuseNotAllowed();
  if (!isBusinessRole(role)) return refuse('role_invalid', 'role must be owner, developer or viewer.');
  // People join a business by invitation. This call changes only the role of an existing member.
  const outcome = await deps.people.changeMember(businessId, personId, role, makeAuditStamp(deps, actor));
  if (outcome === 'set') return ok(null);
  return outcome === 'last_owner' ? refuseLastOwner() : refuseUnknownMember();
}

/** Removes a member of a business. Members may remove themselves without a permission. */
export async function removeMember(
  deps: MemberDeps,
  { businessId, personId }: { readonly businessId: string; readonly personId: string },
  actor: string,
): Promise<Result<null, MemberRefusal>> {
  if (actor !== personId && !(await mayManageMembers(deps, businessId, actor))) return refuseNotAllowed();
  const outcome = await deps.people.removeMember(businessId, personId, makeAuditStamp(deps, actor));
  if (outcome === 'removed') return ok(null);
  return outcome === 'last_owner' ? refuseLastOwner() : refuseUnknownMember();
}

function mayManageMembers(deps: MemberDeps, businessId: string, actor: string): Promise<boolean> {
  const business = { id: businessId, permission: 'members.manage' } as const;
  return mayAct(deps, actor, { operator: 'businesses.manage', business });
}

const refuseLastOwner = () =>
  refuse('last_owner', 'A business must keep at least one owner. Make another member an owner first.');
const refuseUnknownMember = () => refuse('not_found', 'This person is not a member of the business.');

// Lists the queued mails for people. Only the sandbox shows the text of a mail, because anyone who reads its links could act as
// the recipient.
const MAIL_LIST_LIMIT = 200;

export async function listMails(
  deps: MembershipDeps,
  actor: string,
): Promise<Result<readonly StoredMail[], MembershipRefusal<'not_allowed'>>> {
  if (!(await mayAct(deps, actor, { operator: 'people.read' }))) return refuseNotAllowed();
  const mails = await deps.mails.list(MAIL_LIST_LIMIT);
  return ok(deps.sandbox ? mails : mails.map((mail) => ({ ...mail, body: null })));
}
