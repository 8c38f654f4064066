// Lists, invites, disables and resets the operator's people and changes their roles. This file also decides about the sign-ups
// of businesses.
import { Type } from 'typebox';
import { invitePerson, listInvitations, withdrawInvitation } from '../../../../app/membership/invitations.ts';
import { listMails } from '../../../../app/membership/members.ts';
import {
  listOperators,
  resetPerson,
  setOperatorRole,
  setPersonDisabled,
} from '../../../../app/membership/operators.ts';
import { approveSignUp, declineSignUp, listSignUps } from '../../../../app/membership/sign-up.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { SignUp } from '../../../../ports/people/membership.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoOrNull, isoTime } from '../../../../renderings/parts/values.ts';
import {
  invitationShape,
  mailShape,
  personShape,
  renderInvitation,
  renderMail,
  renderPerson,
} from '../../../../renderings/people.ts';
import { NO_SUCH_PATH } from '../../../errors.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

const TAG = { tag: 'Operator' } as const;
const PERSON_REFUSALS = ['not_found', 'last_admin', 'last_owner'] as const;

const peopleRoutes = [
  operatorRoute(
    'people.read',
    'nothing',
    {
      ...TAG,
      method: 'GET',
      path: '/people',
      name: 'listPeople',
      summary: 'List the people with a role at the operator',
      answer: { people: Type.Array(personShape) },
    },
    async ({ actor }, { people }) => {
      const listed = await listOperators(people, actor);
      return listed.ok ? ok({ people: listed.value.map(renderPerson) }) : listed;
    },
  ),
  operatorRoute(
    'people.manage',
    'nothing',
    {
      ...TAG,
      method: 'PUT',
      path: '/people/:person_id/role',
      name: 'setOperatorRole',
      summary: 'Change or remove the role of a person at the operator',
      body: Type.Object({ role: Type.Optional(schemas.operatorRole) }),
      answer: {},
      refusals: ['role_invalid', ...PERSON_REFUSALS],
    },
    async ({ actor, params, body }, { people }) => {
      const given = { personId: params.person_id!, role: body.role ?? null };
      const set = await setOperatorRole(people, given, actor);
      return set.ok ? ok({}) : set;
    },
  ),
  operatorRoute(
    'people.manage',
    'nothing',
    {
      ...TAG,
      method: 'PUT',
      path: '/people/:person_id/disabled',
      name: 'setPersonDisabled',
      summary: 'Disable or enable a person; disabling ends their sessions immediately',
      body: Type.Object({ disabled: Type.Boolean({ description: 'true or false.' }) }),
      answer: {},
      refusals: PERSON_REFUSALS,
    },
    async ({ actor, params, body }, { people }) => {
      const given = { personId: params.person_id!, disabled: body.disabled };
      const set = await setPersonDisabled(people, given, actor);
      return set.ok ? ok({}) : set;
    },
  ),
  operatorRoute(
    'people.manage',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/people/:person_id/reset',
      name: 'resetPerson',
      summary: 'Remove the password and the second factors of a person, and send them a link to set new ones',
      answer: {},
      refusals: PERSON_REFUSALS,
    },
    async ({ actor, params }, { people }) => {
      const reset = await resetPerson(people, params.person_id!, actor);
      return reset.ok ? ok({}) : reset;
    },
  ),
];

const invitationRoutes = [
  operatorRoute(
    'people.manage',
    'nothing',
    {
      ...TAG,
      method: 'GET',
      path: '/invitations',
      name: 'listOperatorInvitations',
      summary: 'List the open invitations to the operator',
      answer: { invitations: Type.Array(invitationShape) },
    },
    async ({ actor }, { people }) => {
      const listed = await listInvitations(people, null, actor);
      return listed.ok ? ok({ invitations: listed.value.map(renderInvitation) }) : listed;
    },
  ),
  operatorRoute(
    'people.manage',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/invitations',
      name: 'inviteOperator',
      summary: 'Invite a person to the operator',
      body: Type.Object({ email: fields.email, role: schemas.operatorRole }),
      answer: { invitation: invitationShape },
      refusals: ['email_invalid', 'role_invalid', 'already_member'],
    },
    async ({ actor, body }, { people }) => {
      const invited = await invitePerson(people, { ...body, businessId: null }, actor);
      return invited.ok ? ok({ invitation: renderInvitation(invited.value) }) : invited;
    },
  ),
  operatorRoute(
    'people.manage',
    'nothing',
    {
      ...TAG,
      method: 'DELETE',
      path: '/invitations/:invitation_id',
      name: 'withdrawOperatorInvitation',
      summary: 'Withdraw an invitation to the operator',
      answer: {},
      refusals: ['not_found'],
    },
    async ({ actor, params }, { people }) => {
      const given = { id: params.invitation_id!, businessId: null, role: 'admin' } as const;
      const withdrawn = await withdrawInvitation(people, given, actor);
      return withdrawn.ok ? ok({}) : withdrawn;
    },
  ),
];

const STATES = ['waiting', 'approved', 'declined'] as const;
const DECIDED = ['not_found', 'not_waiting', 'link_tag_taken'] as const;

const signUp = schemas.nameSchema(
  'SignUp',
  Type.Object({
    ...{ id: Type.String(), business_name: Type.String(), link_tag: Type.String(), email: Type.String() },
    ...{ state: schemas.oneOf(STATES), created_at: schemas.time, decided_at: schemas.nullable(schemas.time) },
    decided_by: schemas.nullable(Type.String()),
    business_id: schemas.nullable(Type.String()),
  }),
);

function renderSignUp(given: SignUp): schemas.JsonOf<typeof signUp> {
  const { id, businessName, linkTag, email, state, createdAtMs, decidedAtMs, decidedBy } = given;
  return {
    ...{ id, business_name: businessName, link_tag: linkTag, email, state },
    ...{ created_at: isoTime(createdAtMs), decided_at: isoOrNull(decidedAtMs) },
    ...{ decided_by: decidedBy, business_id: given.businessId },
  };
}

const signUpRoutes = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...TAG,
      method: 'GET',
      path: '/sign-ups',
      name: 'listSignUps',
      summary: 'List the businesses that signed up',
      query: Type.Object({ state: Type.Optional(schemas.oneOf(STATES, { default: 'waiting' })) }),
      answer: { sign_ups: Type.Array(signUp) },
      refusals: ['filter_invalid'],
    },
    async ({ actor, query }, { people }) => {
      const wanted = STATES.find((each) => each === (query.state ?? 'waiting'));
      if (wanted === undefined)
        return fail({ code: 'filter_invalid', message: `state must be one of ${STATES.join(', ')}.` });
      const listed = await listSignUps(people, wanted, actor);
      return listed.ok ? ok({ sign_ups: listed.value.map(renderSignUp) }) : listed;
    },
  ),
  operatorRoute(
    'businesses.approve',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/sign-ups/:sign_up_id/approve',
      name: 'approveSignUp',
      summary: 'Approve a sign-up; the business is created and its owner is invited',
      answer: { business_id: Type.String() },
      refusals: DECIDED,
    },
    async ({ actor, params }, { people }) => {
      const approved = await approveSignUp(people, params.sign_up_id!, actor);
      return approved.ok ? ok({ business_id: approved.value.businessId }) : approved;
    },
  ),
  operatorRoute(
    'businesses.approve',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/sign-ups/:sign_up_id/decline',
      name: 'declineSignUp',
      summary: 'Decline a sign-up',
      answer: {},
      refusals: DECIDED,
    },
    async ({ actor, params }, { people }) => {
      const declined = await declineSignUp(people, params.sign_up_id!, actor);
      return declined.ok ? ok({}) : declined;
    },
  ),
];

/**
 * This route exists only in the sandbox, because a person who reads the mails could use their links to act as a person else.
 */
const mailsRoute = operatorRoute(
  'people.read',
  'several',
  {
    ...TAG,
    method: 'GET',
    path: '/mails',
    name: 'listMails',
    summary: 'Read the mails of the sandbox, newest first; this path exists only in the sandbox',
    answer: { mails: Type.Array(mailShape) },
    refusals: ['not_found'],
  },
  async ({ actor }, { people }) => {
    if (!people.sandbox) return fail(NO_SUCH_PATH);
    const listed = await listMails(people, actor);
    return listed.ok ? ok({ mails: listed.value.map(renderMail) }) : listed;
  },
);

export const operatorPeopleRoutes: readonly ConsoleRoute[] = [
  ...peopleRoutes,
  ...invitationRoutes,
  ...signUpRoutes,
  mailsRoute,
];
