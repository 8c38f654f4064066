// Lets a business sign up and wait until the operator approves it. The sandbox approves at once. The owner joins by an
// invitation to the given address. The service never looks up whether a person with this address exists, so no response reveals
// it.
import { serviceActor } from '../../domain/people/actor.ts';
import { isLinkTag, normaliseBusinessName, normaliseEmail } from '../../domain/people/names.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { SignUp, SignUpDecision } from '../../ports/people/membership.ts';
import { newPeopleId } from '../people/people-deps.ts';
import { newInvitation } from './invitations.ts';
import { signUpDeclinedText } from './mail-texts.ts';
import {
  type MembershipDeps,
  type MembershipRefusal,
  makeAuditStamp,
  mayAct,
  newMail,
  refuse,
  refuseNotAllowed,
} from './membership-deps.ts';

const SIGN_UP_ACTOR = serviceActor('sign-up');
const LIST_LIMIT = 200;

export type SignUpRefusal = MembershipRefusal<
  'email_invalid' | 'business_name_invalid' | 'link_tag_invalid' | 'link_tag_taken'
>;

export interface SignUpResult {
  readonly id: string;
  readonly state: SignUpDecision;
  /** The token from the owner's invitation mail, because the sandbox sends no mail. Null outside the sandbox. */
  readonly invitationToken: string | null;
}

export async function signUp(
  deps: MembershipDeps,
  given: { readonly businessName: string; readonly linkTag: string; readonly email: string },
): Promise<Result<SignUpResult, SignUpRefusal>> {
  const email = normaliseEmail(given.email);
  if (email === undefined)
    return refuse('email_invalid', 'email is not an e-mail address. Example: ada@example.com.');
  const businessName = normaliseBusinessName(given.businessName);
  if (businessName === undefined)
    return refuse('business_name_invalid', 'business_name must be 1 to 140 visible characters in one line.');
  if (!isLinkTag(given.linkTag))
    return refuse('link_tag_invalid', 'link_tag must be 3 to 40 characters of a-z, 0-9 and hyphen.');
  const made = { id: newPeopleId(deps, 'sgn'), businessName, linkTag: given.linkTag, email };
  if ((await deps.signUps.add(made, makeAuditStamp(deps, SIGN_UP_ACTOR))) === 'link_tag_taken')
    return refuseTakenLinkTag();
  const waits = { id: made.id, state: 'waiting', invitationToken: null } as const;
  if (!deps.sandbox) return ok(waits);
  const approved = await approveAndInvite(deps, made.id, SIGN_UP_ACTOR);
  if (!approved.ok) return approved.error.code === 'link_tag_taken' ? refuseTakenLinkTag() : ok(waits);
  return ok({ id: made.id, state: 'approved', invitationToken: approved.value.token });
}

export async function listSignUps(
  deps: MembershipDeps,
  state: SignUpDecision,
  actor: string,
): Promise<Result<readonly SignUp[], MembershipRefusal<'not_allowed'>>> {
  if (!(await mayAct(deps, actor, { operator: 'operations.read' }))) return refuseNotAllowed();
  return ok(await deps.signUps.list(state, LIST_LIMIT));
}

export type DecideSignUpRefusal = MembershipRefusal<
  'not_allowed' | 'not_found' | 'not_waiting' | 'link_tag_taken'
>;

export async function approveSignUp(
  deps: MembershipDeps,
  id: string,
  actor: string,
): Promise<Result<{ readonly businessId: string }, DecideSignUpRefusal>> {
  const approved = await approveAndInvite(deps, id, actor);
  return approved.ok ? ok({ businessId: approved.value.businessId }) : approved;
}

async function approveAndInvite(
  deps: MembershipDeps,
  id: string,
  actor: string,
): Promise<Result<{ readonly businessId: string; readonly token: string }, DecideSignUpRefusal>> {
  const found = await findWaitingSignUp(deps, id, actor);
  if (!found.ok) return found;
  const { businessName, linkTag, email } = found.value;
  const business = { id: newPeopleId(deps, 'biz'), name: businessName, linkTag, sandbox: false };
  const to = { businessId: business.id, role: 'owner' } as const;
  const { token, ...made } = newInvitation(deps, {
    ...{ email, to, actor, inviterName: null, businessName, signUpId: id },
  });
  const outcome = await deps.signUps.approve(id, { business, ...made }, makeAuditStamp(deps, actor));
  if (outcome === 'not_waiting') return refuseDecidedSignUp();
  return outcome === 'approved' ? ok({ businessId: business.id, token }) : refuseTakenLinkTag();
}

export async function declineSignUp(
  deps: MembershipDeps,
  id: string,
  actor: string,
): Promise<Result<null, DecideSignUpRefusal>> {
  const found = await findWaitingSignUp(deps, id, actor);
  if (!found.ok) return found;
  const { email, businessName } = found.value;
  const text = signUpDeclinedText(businessName);
  const mail = newMail(deps, { about: id, recipient: email, linkEndsAtMs: null, ...text });
  return (await deps.signUps.decline(id, mail, makeAuditStamp(deps, actor))) === 'declined'
    ? ok(null)
    : refuseDecidedSignUp();
}

async function findWaitingSignUp(
  deps: MembershipDeps,
  id: string,
  actor: string,
): Promise<Result<SignUp, DecideSignUpRefusal>> {
  if (!(await mayAct(deps, actor, { operator: 'businesses.approve' }))) return refuseNotAllowed();
  const found = await deps.signUps.find(id);
  if (found === undefined) return refuse('not_found', 'There is no sign-up with this id.');
  return found.state === 'waiting' ? ok(found) : refuseDecidedSignUp();
}

const refuseTakenLinkTag = () => refuse('link_tag_taken', 'link_tag is already taken. Choose another one.');
const refuseDecidedSignUp = () => refuse('not_waiting', 'This sign-up was already decided.');
