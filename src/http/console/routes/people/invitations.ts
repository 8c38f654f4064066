// The routes that an invited person uses. The mailed link contains the token of the invitation after the #, and browsers never
// send this part of a link to a server. The page sends the token to these routes in a body, never in a URL.
import { Type } from 'typebox';
import {
  acceptInvitationAsNewPerson,
  acceptInvitationAsPerson,
  readInvitation,
} from '../../../../app/membership/invitations.ts';
import { BUSINESS_ROLES, OPERATOR_ROLES } from '../../../../domain/people/roles.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, publicRoute, sessionRoute } from '../../route.ts';

const TOKEN = { token: fields.token };
const POST = { method: 'POST', tag: 'Invitations' } as const;
const ENDED = {
  code: 'invitation_ended',
  message: 'This invitation is no longer valid. Ask the person who invited you for a new one.',
} as const;

export const invitationRoutes: readonly ConsoleRoute[] = [
  publicRoute(
    {
      ...POST,
      path: '/console/v1/invitations/read',
      name: 'readInvitation',
      summary: 'Read the purpose of an invitation',
      limit: 'sign_in',
      body: Type.Object(TOKEN),
      answer: {
        email: Type.String(),
        business_name: schemas.nullable(Type.String()),
        role: schemas.oneOf([...BUSINESS_ROLES, ...OPERATOR_ROLES]),
        known: Type.Boolean({
          description: 'Whether a person with this address exists. They must sign in first.',
        }),
      },
      refusals: ['invitation_ended'],
    },
    async ({ body }, { people }) => {
      const found = await readInvitation(people, body.token);
      if (found === undefined) return fail(ENDED);
      const { email, businessName, role, known } = found;
      return ok({ email, business_name: businessName, role, known });
    },
  ),
  publicRoute(
    {
      ...POST,
      path: '/console/v1/invitations/accept',
      name: 'acceptInvitation',
      summary: 'Accept an invitation as a new person; the next step sets up a second factor',
      limit: 'sign_in',
      body: Type.Object({
        ...TOKEN,
        name: Type.String({ minLength: 1, maxLength: 200, description: 'your name.' }),
        password: fields.password,
      }),
      answer: { pending: Type.String({ description: 'The token of the pending sign-in.' }) },
      refusals: ['invitation_ended', 'sign_in_first', 'name_invalid', 'weak_password'],
    },
    async ({ body }, { people }) => {
      const accepted = await acceptInvitationAsNewPerson(people, body);
      return accepted.ok ? ok({ pending: accepted.value.pending }) : accepted;
    },
  ),
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/invitations/accept-signed-in',
      name: 'acceptInvitationSignedIn',
      summary: 'Accept an invitation as the signed-in person',
      body: Type.Object(TOKEN),
      answer: {},
      refusals: ['invitation_ended', 'other_address', 'already_member'],
    },
    async ({ actor, body }, { people }) => {
      const accepted = await acceptInvitationAsPerson(people, actor, body.token);
      return accepted.ok ? ok({}) : accepted;
    },
  ),
];
