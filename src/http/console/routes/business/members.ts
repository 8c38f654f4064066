// The routes for the members of a business and for invitations to the business.
import { Type } from 'typebox';
import { invitePerson, listInvitations, withdrawInvitation } from '../../../../app/membership/invitations.ts';
import { changeMemberRole, listMembers, removeMember } from '../../../../app/membership/members.ts';
import { ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import {
  invitationShape,
  memberShape,
  renderInvitation,
  renderMember,
} from '../../../../renderings/people.ts';
import * as fields from '../../fields.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';

const TAG = { tag: 'Business' } as const;

export const memberRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'members.read',
    {
      ...TAG,
      method: 'GET',
      path: '/members',
      name: 'listMembers',
      summary: 'List the members',
      answer: { members: Type.Array(memberShape) },
    },
    async ({ businessId, actor }, { people }) => {
      const members = await listMembers(people, businessId, actor);
      return members.ok ? ok({ members: members.value.map(renderMember) }) : members;
    },
  ),
  businessRoute(
    'members.manage',
    {
      ...TAG,
      method: 'PUT',
      path: '/members/:person_id/role',
      name: 'changeMemberRole',
      summary: 'Change the role of a member',
      body: Type.Object({ role: schemas.businessRole }),
      answer: {},
      refusals: ['role_invalid', 'last_owner', 'not_found'],
    },
    async ({ businessId, actor, params, body }, { people }) => {
      const given = { businessId, personId: params.person_id!, role: body.role };
      const changed = await changeMemberRole(people, given, actor);
      return changed.ok ? ok({}) : changed;
    },
  ),
  businessRoute(
    'members.manage',
    {
      ...TAG,
      method: 'DELETE',
      path: '/members/:person_id',
      name: 'removeMember',
      summary: 'Remove a member',
      answer: {},
      refusals: ['last_owner', 'not_found'],
    },
    async ({ businessId, actor, params }, { people }) => {
      const removed = await removeMember(people, { businessId, personId: params.person_id! }, actor);
      return removed.ok ? ok({}) : removed;
    },
  ),
  businessRoute(
    'members.read',
    {
      ...TAG,
      method: 'POST',
      path: '/leave',
      name: 'leaveBusiness',
      summary: 'Leave the business; every member may leave',
      answer: {},
      refusals: ['last_owner'],
    },
    async ({ businessId, actor }, { people }) => {
      const left = await removeMember(people, { businessId, personId: actor }, actor);
      return left.ok ? ok({}) : left;
    },
  ),
  businessRoute(
    'members.manage',
    {
      ...TAG,
      method: 'GET',
      path: '/invitations',
      name: 'listBusinessInvitations',
      summary: 'List the open invitations to the business',
      answer: { invitations: Type.Array(invitationShape) },
    },
    async ({ businessId, actor }, { people }) => {
      const listed = await listInvitations(people, businessId, actor);
      return listed.ok ? ok({ invitations: listed.value.map(renderInvitation) }) : listed;
    },
  ),
  businessRoute(
    'members.manage',
    {
      ...TAG,
      method: 'POST',
      path: '/invitations',
      name: 'inviteMember',
      summary: 'Invite a person to the business; the link is sent by mail',
      body: Type.Object({ email: fields.email, role: schemas.businessRole }),
      answer: { invitation: invitationShape },
      refusals: ['email_invalid', 'role_invalid', 'already_member'],
    },
    async ({ businessId, actor, body }, { people }) => {
      const invited = await invitePerson(people, { ...body, businessId }, actor);
      return invited.ok ? ok({ invitation: renderInvitation(invited.value) }) : invited;
    },
  ),
  businessRoute(
    'members.manage',
    {
      ...TAG,
      method: 'DELETE',
      path: '/invitations/:invitation_id',
      name: 'withdrawBusinessInvitation',
      summary: 'Withdraw an invitation',
      answer: {},
      refusals: ['not_found'],
    },
    async ({ businessId, actor, params }, { people }) => {
      const withdrawn = await withdrawInvitation(people, { id: params.invitation_id!, businessId }, actor);
      return withdrawn.ok ? ok({}) : withdrawn;
    },
  ),
];
