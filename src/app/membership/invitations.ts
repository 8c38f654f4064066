// Manages invitations. An invitation is bound to an e-mail address and a token, is valid for seven days and can be used once.
// Only the mail contains the token, so a person who accepts proves to own the address. A new person gets a pending sign-in, but
// no session until the second factor is given.
import { normaliseEmail, normalisePersonName } from '../../domain/people/names.ts';
import {
  INVITATION_VALID_MS,
  type InvitationTarget,
  isBusinessRole,
  isOperatorRole,
} from '../../domain/people/roles.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { NewMail } from '../../ports/mail.ts';
import type { Invitation, NewInvitation, OpenInvitation } from '../../ports/people/membership.ts';
import { openPendingSignInByMail } from '../people/open-session.ts';
import { hashToken, newPeopleId, newToken } from '../people/people-deps.ts';
import { invitationText, operatorInvitedText } from './mail-texts.ts';
import {
  type MembershipDeps,
  type MembershipRefusal,
  makeAuditStamp,
  mayAct,
  newMail,
  refuse,
  refuseNotAllowed,
} from './membership-deps.ts';
import { checkChosenPassword } from './reset-password.ts';

export type InviteRefusal = MembershipRefusal<
  'email_invalid' | 'role_invalid' | 'not_allowed' | 'already_member' | 'not_found'
>;

/** Invites a person to a business. If `businessId` is null, invites the person to the operator. */
export async function invitePerson(
  deps: MembershipDeps,
  given: { readonly email: string; readonly businessId: string | null; readonly role: string },
  actor: string,
): Promise<Result<Invitation, InviteRefusal>> {
  const email = normaliseEmail(given.email);
  if (email === undefined)
    return refuse('email_invalid', 'email is not an e-mail address. Example: ada@example.com.');
  const to = parseInvitedTo(given.businessId, given.role);
  if (to === undefined)
    return refuse(
      'role_invalid',
      'role must be owner, developer or viewer in a business, and admin, reviewer, approver or auditor at the operator.',
    );
  // People who may not invite others to the business do not learn whether the business exists.
  if (!(await mayAct(deps, actor, rightToInvite(to.businessId)))) return refuseNotAllowed();
  const businessName = to.businessId === null ? null : await deps.invitations.businessName(to.businessId);
  if (businessName === undefined) return refuse('not_found', 'There is no such business.');
  const inviterName = (await deps.people.find(actor))?.name ?? null;
  const { invitation, mail } = newInvitation(deps, { email, to, actor, inviterName, businessName });
  const notices = to.businessId === null ? await draftOperatorNotices(deps, invitation, inviterName) : [];
  const outcome = await deps.invitations.invite(invitation, mail, notices, makeAuditStamp(deps, actor));
  switch (outcome) {
    case 'invited':
      return ok(omitTokenHash(invitation));
    case 'not_allowed':
      return refuseNotAllowed();
    case 'already_member':
      return refuse(
        'already_member',
        'A person with this address already has a role there. Change the role instead.',
      );
  }
}

/**
 * One admin can invite people alone, and could also invite a second mailbox of their own. So all other people of the operator
 * get a notice in the same commit.
 */
async function draftOperatorNotices(
  deps: MembershipDeps,
  { email, role, invitedBy }: NewInvitation,
  inviterName: string | null,
): Promise<readonly NewMail[]> {
  const others = (await deps.people.listOperators()).filter(
    ({ id, disabledAtMs }) => id !== invitedBy && disabledAtMs === null,
  );
  const text = operatorInvitedText({ email, role, inviterName });
  return others.map(({ id, email: recipient }) =>
    newMail(deps, { about: id, recipient, linkEndsAtMs: null, ...text }),
  );
}

/** Makes an invitation and its mail. Only the mail contains the token, except in the sandbox, which sends no mail. */
export function newInvitation(
  deps: MembershipDeps,
  given: {
    readonly email: string;
    readonly to: InvitationTarget;
    readonly actor: string;
    readonly inviterName: string | null;
    readonly businessName: string | null;
    readonly signUpId?: string;
  },
): { readonly token: string; readonly invitation: NewInvitation; readonly mail: NewMail } {
  const { email, to, actor, inviterName, businessName, signUpId = null } = given;
  const token = newToken(deps);
  const atMs = deps.clock.now();
  const invitation: NewInvitation = {
    id: newPeopleId(deps, 'inv'),
    tokenHash: hashToken(token),
    email,
    ...to,
    signUpId,
    invitedBy: actor,
    createdAtMs: atMs,
    expiresAtMs: atMs + INVITATION_VALID_MS,
  };
  const { role } = to;
  const text = invitationText({ baseUrl: deps.publicBaseUrl, token, inviterName, businessName, role });
  const about = { about: invitation.id, recipient: email, linkEndsAtMs: invitation.expiresAtMs };
  return { token, invitation, mail: newMail(deps, { ...about, ...text }) };
}

export async function listInvitations(
  deps: MembershipDeps,
  businessId: string | null,
  actor: string,
): Promise<Result<readonly Invitation[], MembershipRefusal<'not_allowed'>>> {
  if (!(await mayAct(deps, actor, rightToInvite(businessId)))) return refuseNotAllowed();
  return ok(await deps.invitations.list(businessId));
}

export async function withdrawInvitation(
  deps: MembershipDeps,
  { id, businessId }: Pick<Invitation, 'id' | 'businessId'>,
  actor: string,
): Promise<Result<null, MembershipRefusal<'not_allowed' | 'not_found'>>> {
  if (!(await mayAct(deps, actor, rightToInvite(businessId)))) return refuseNotAllowed();
  const withdrawn = await deps.invitations.withdraw(id, businessId, makeAuditStamp(deps, actor));
  return withdrawn ? ok(null) : refuse('not_found', 'There is no open invitation with this id.');
}

/** Reads the invitation that belongs to a token. Returns undefined if the invitation has expired. */
export function readInvitation(deps: MembershipDeps, token: string): Promise<OpenInvitation | undefined> {
  return deps.invitations.find(hashToken(token), deps.clock.now());
}

export type AcceptRefusal = MembershipRefusal<
  'invitation_ended' | 'sign_in_first' | 'name_invalid' | 'weak_password' | 'other_address' | 'already_member'
>;

export async function acceptInvitationAsNewPerson(
  deps: MembershipDeps,
  given: { readonly token: string; readonly name: string; readonly password: string },
): Promise<Result<{ readonly personId: string; readonly pending: string }, AcceptRefusal>> {
  const invitation = await readInvitation(deps, given.token);
  if (invitation === undefined) return refuseEndedInvitation();
  if (invitation.known) return refuseUntilSignedIn();
  const name = normalisePersonName(given.name);
  if (name === undefined)
    return refuse('name_invalid', 'name must be 1 to 100 visible characters without < > @ : / \\ or quotes.');
  const password = checkChosenPassword(given.password, { email: invitation.email, name });
  if (!password.ok) return password;
  const stored = await deps.passwords.hash(password.value);
  const id = newPeopleId(deps, 'per');
  const person = { id, name, stored };
  const outcome = await deps.invitations.acceptAsNew(
    hashToken(given.token),
    person,
    makeAuditStamp(deps, id),
  );
  if (outcome === 'ended') return refuseEndedInvitation();
  if (outcome === 'known_address') return refuseUntilSignedIn();
  // If the service stops before this step, the person can sign in with the password and then set up a second factor.
  const pending = await openPendingSignInByMail(deps, id);
  return pending === undefined ? refuseEndedInvitation() : ok({ personId: id, pending });
}

export async function acceptInvitationAsPerson(
  deps: MembershipDeps,
  personId: string,
  token: string,
): Promise<Result<null, AcceptRefusal>> {
  const outcome = await deps.invitations.acceptAs(hashToken(token), personId, makeAuditStamp(deps, personId));
  switch (outcome) {
    case 'accepted':
      return ok(null);
    case 'ended':
      return refuseEndedInvitation();
    case 'other_address':
      return refuse(
        'other_address',
        'This invitation is for another e-mail address. Sign in with that address to accept it.',
      );
    case 'already_member':
      return refuse('already_member', 'You already have a role there. An invitation does not change it.');
  }
}

function parseInvitedTo(businessId: string | null, role: string): InvitationTarget | undefined {
  if (businessId === null) return isOperatorRole(role) ? { businessId, role } : undefined;
  return isBusinessRole(role) ? { businessId, role } : undefined;
}

function rightToInvite(businessId: string | null) {
  if (businessId === null) return { operator: 'people.manage' } as const;
  return {
    operator: 'businesses.manage',
    business: { id: businessId, permission: 'members.manage' },
  } as const;
}

function omitTokenHash({ tokenHash: _, ...invitation }: NewInvitation): Invitation {
  return invitation;
}

const refuseEndedInvitation = () =>
  refuse(
    'invitation_ended',
    'This invitation is no longer valid. Ask the person who invited you for a new one.',
  );
const refuseUntilSignedIn = () =>
  refuse('sign_in_first', 'A person with this address already exists. Sign in, then open the link again.');
