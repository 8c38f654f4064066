// The requests of people who are not signed in: a business signs up, and a person requests a new password. No response shows
// whether an e-mail address is known.
import { Type } from 'typebox';
import { requestPasswordReset, setNewPassword } from '../../../../app/membership/reset-password.ts';
import { signUp } from '../../../../app/membership/sign-up.ts';
import { ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, publicRoute } from '../../route.ts';
import { factorsSchema, pendingTokenField, renderFactors } from './sign-in.ts';

export const signUpRoutes: readonly ConsoleRoute[] = [
  publicRoute(
    {
      method: 'POST',
      path: '/console/v1/sign-ups',
      name: 'signUp',
      summary: 'Sign a business up; its owner is invited by mail after the operator approves it',
      tag: 'Sign-up',
      limit: 'mail',
      body: Type.Object({
        business_name: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'the name of the business.',
        }),
        link_tag: Type.String({
          minLength: 1,
          maxLength: 60,
          description: '3 to 40 characters of a-z, 0-9 and hyphen.',
        }),
        email: fields.email,
      }),
      answer: {
        sign_up_id: Type.String(),
        state: schemas.oneOf(['waiting', 'approved', 'declined']),
        invitation_token: schemas.nullable(
          Type.String({
            description:
              'The token of the owner’s invitation, only in the sandbox, which sends no mail. Otherwise null.',
          }),
        ),
      },
      refusals: ['email_invalid', 'business_name_invalid', 'link_tag_invalid', 'link_tag_taken'],
    },
    async ({ body }, { people }) => {
      const { business_name: businessName, link_tag: linkTag, email } = body;
      const made = await signUp(people, { businessName, linkTag, email });
      if (!made.ok) return made;
      const { id, state, invitationToken } = made.value;
      return ok({ sign_up_id: id, state, invitation_token: invitationToken });
    },
  ),
  publicRoute(
    {
      method: 'POST',
      path: '/console/v1/password-resets',
      name: 'askForNewPassword',
      summary: 'Request a new password; a link is sent if a person has this address',
      tag: 'Sign-in',
      limit: 'mail',
      body: Type.Object({ email: fields.email }),
      answer: {},
    },
    async ({ body }, { people }) => {
      await requestPasswordReset(people, body.email);
      return ok({});
    },
  ),
  publicRoute(
    {
      method: 'POST',
      path: '/console/v1/password-resets/complete',
      name: 'setNewPassword',
      summary:
        'Set a new password with the link; this ends all sessions, and the second factor is still required',
      tag: 'Sign-in',
      limit: 'sign_in',
      body: Type.Object({ token: fields.token, password: fields.password }),
      answer: { pending: pendingTokenField, factors: factorsSchema },
      refusals: ['reset_ended', 'weak_password'],
    },
    async ({ body }, { people }) => {
      const set = await setNewPassword(people, body);
      if (!set.ok) return set;
      return ok({ pending: set.value.pending, factors: renderFactors(set.value.factors) });
    },
  ),
];
