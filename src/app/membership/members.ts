// The members of a business: listed, given another role, removed; and a member may leave. A business keeps at least one owner.
import { isBusinessRole } from '../../domain/people/roles.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { StoredMail } from '../../ports/mail.ts';
import type { Member } from '../../ports/people/people.ts';
import {
  doingNow,
  type MembershipDeps,
  mayAct,
  notAllowed,
  type Refused,
  refuse,
} from './membership-deps.ts';

type Deps = Pick<MembershipDeps, 'people' | 'clock'>;

export type MemberRefusal = Refused<'not_allowed' | 'role_invalid' | 'not_found' | 'last_owner'>;

export async function listMembers(
  deps: Deps,
  businessId: string,
  actor: string,
): Promise<Result<readonly Member[], Refused<'not_allowed'>>> {
  const business = { id: businessId, permission: 'members.read' } as const;
  if (!(await mayAct(deps, actor, { operator: 'businesses.read', business }))) return notAllowed();
  return ok(await deps.people.listMembers(businessId));
}

export async function changeMemberRole(
  deps: Deps,
  given: { readonly businessId: string; readonly personId: string; readonly role: string },
  actor: string,
): Promise<Result<null, MemberRefusal>> {
  const { businessId, personId, role } = given;
  if (!(await mayManage(deps, businessId, actor))) return notAllowed();
  if (!isBusinessRole(role)) return refuse('role_invalid', 'role must be owner, developer or viewer.');
  // People come in by invitation: this changes the role of those who are in.
  const outcome = await deps.people.changeMember(businessId, personId, role, doingNow(deps, actor));
  if (outcome === 'set') return ok(null);
  return outcome === 'last_owner' ? lastOwner() : noMember();
}

/** Removes a member. Members may remove themselves without a permission. */
export async function removeMember(
  deps: Deps,
  { businessId, personId }: { readonly businessId: string; readonly personId: string },
  actor: string,
): Promise<Result<null, MemberRefusal>> {
  if (actor !== personId && !(await mayManage(deps, businessId, actor))) return notAllowed();
  const outcome = await deps.people.removeMember(businessId, personId, doingNow(deps, actor));
  if (outcome === 'removed') return ok(null);
  return outcome === 'last_owner' ? lastOwner() : noMember();
}

function mayManage(deps: Deps, businessId: string, actor: string): Promise<boolean> {
  const business = { id: businessId, permission: 'members.manage' } as const;
  return mayAct(deps, actor, { operator: 'businesses.manage', business });
}

const lastOwner = () =>
  refuse('last_owner', 'A business keeps at least one owner. Make another member an owner first.');
const noMember = () => refuse('not_found', 'This person is not a member of the business.');

// The mails of the queue as people read them. Their text is shown in the sandbox alone: elsewhere its links would let the reader
// act as the person they were sent to.
const LIMIT = 200;

export async function listMails(
  deps: MembershipDeps,
  actor: string,
): Promise<Result<readonly StoredMail[], Refused<'not_allowed'>>> {
  if (!(await mayAct(deps, actor, { operator: 'people.read' }))) return notAllowed();
  const mails = await deps.mails.list(LIMIT);
  return ok(deps.sandbox ? mails : mails.map((mail) => ({ ...mail, body: null })));
}
