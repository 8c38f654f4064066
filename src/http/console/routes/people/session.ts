// The data and the sessions of the signed-in person, and the routes that end sessions.
import { Type } from 'typebox';
import { changePassword } from '../../../../app/people/password-rules.ts';
import { endAllSessions, endSession, listSessions } from '../../../../app/people/sessions.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import { personShape, renderPerson, renderSession, sessionShape } from '../../../../renderings/people.ts';
import { clearSessionCookie } from '../../admission/cookies.ts';
import { deriveCsrfToken } from '../../admission/csrf.ts';
import * as fields from '../../fields.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, sessionRoute } from '../../route.ts';
import { toConsoleFailure } from '../../to-console-failure.ts';

const membership = schemas.nameSchema(
  'Membership',
  Type.Object({
    business_id: Type.String(),
    business_name: Type.String(),
    role: schemas.businessRole,
  }),
);

export const sessionRoutes: readonly ConsoleRoute[] = [
  sessionRoute(
    {
      method: 'GET',
      path: '/console/v1/session',
      name: 'getSession',
      summary: 'Read who is signed in, with their roles and the CSRF token',
      tag: 'Session',
      answer: {
        person: personShape,
        memberships: Type.Array(membership),
        csrf_token: Type.String({ description: 'For the header x-csrf-token.' }),
        expires_at: schemas.time,
      },
    },
    async ({ signedIn: { person, session } }, { people }) =>
      ok({
        person: renderPerson(person),
        memberships: person.memberships.map(({ businessId, businessName, role }) => ({
          ...{ business_id: businessId, business_name: businessName, role },
        })),
        csrf_token: deriveCsrfToken(people.box, session.id),
        expires_at: isoTime(session.expiresAtMs),
      }),
  ),
  sessionRoute(
    {
      method: 'GET',
      path: '/console/v1/sessions',
      name: 'listSessions',
      summary: 'List your sessions, newest first',
      tag: 'Session',
      answer: { sessions: Type.Array(sessionShape) },
    },
    async ({ actor, signedIn: { session } }, { people }) => {
      const sessions = await listSessions(people, actor);
      return ok({ sessions: sessions.map((each) => renderSession(each, session.id)) });
    },
  ),
  sessionRoute(
    {
      method: 'DELETE',
      path: '/console/v1/sessions/:session_id',
      name: 'endSession',
      summary: 'End one of your sessions',
      tag: 'Session',
      answer: {},
      refusals: ['not_found'],
    },
    async ({ actor, params, reply, signedIn: { session } }, { people }) => {
      const ended = await endSession(people, actor, params.session_id!);
      if (ended && params.session_id === session.id) clearSessionCookie(reply);
      return ended ? ok({}) : fail(NO_SUCH_RECORD);
    },
  ),
  sessionRoute(
    {
      method: 'POST',
      path: '/console/v1/sign-out',
      name: 'signOut',
      summary: 'End this session',
      tag: 'Session',
      answer: {},
    },
    async ({ actor, reply, signedIn: { session } }, { people }) => {
      await endSession(people, actor, session.id);
      clearSessionCookie(reply);
      return ok({});
    },
  ),
  sessionRoute(
    {
      method: 'POST',
      path: '/console/v1/sign-out-everywhere',
      name: 'signOutEverywhere',
      summary: 'End all your sessions, including this one',
      tag: 'Session',
      answer: { ended: Type.Integer() },
    },
    async ({ actor, reply }, { people }) => {
      const ended = await endAllSessions(people, actor, null);
      clearSessionCookie(reply);
      return ok({ ended });
    },
  ),
  sessionRoute(
    {
      method: 'POST',
      path: '/console/v1/password',
      name: 'changePassword',
      summary: 'Change your password; this ends all your sessions, including this one',
      tag: 'Session',
      limit: 'sign_in',
      body: Type.Object({ current: fields.password, next: fields.password }),
      answer: {},
      refusals: ['wrong_password', 'same_password', 'weak_password', 'step_up_locked', 'sign_in_busy'],
    },
    async ({ body, reply, signedIn }, { people }) => {
      const changed = await changePassword(people, signedIn, body);
      if (!changed.ok) return toConsoleFailure(changed.error, people.clock.now());
      clearSessionCookie(reply);
      return ok({});
    },
  ),
];
