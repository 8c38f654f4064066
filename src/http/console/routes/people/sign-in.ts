// Signs people in. A correct password opens a pending sign-in; its token is in the response and gives no access. The second
// factor opens the session; its token is only in a cookie and never in a response body (threats 81, 82).
import { Type } from 'typebox';
import type { ClientFacts, OpenedSession } from '../../../../app/people/open-session.ts';
import {
  makePasskeyChallenge,
  signInWithPassword,
  signInWithSecondFactor,
} from '../../../../app/people/sign-in.ts';
import { ok } from '../../../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../../../ports/people/credentials.ts';
import type { SecondFactors } from '../../../../ports/people/second-factors.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { readDeviceCookie, setDeviceCookie, setSessionCookie } from '../../admission/cookies.ts';
import { deriveCsrfToken } from '../../admission/csrf.ts';
import type { ConsoleDeps } from '../../deps.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, publicRoute, type RouteCall } from '../../route.ts';
import { toConsoleFailure } from '../../to-console-failure.ts';

export const pendingTokenField = Type.String({
  description:
    'The token of the pending sign-in, valid for ten minutes. It gives no access without a second factor.',
});
export const factorsSchema = schemas.nameSchema(
  'Factors',
  Type.Object(
    { totp: Type.Boolean(), passkey: Type.Boolean(), recovery_code: Type.Boolean() },
    {
      description: 'The second factors of the person. If there is none, the next step sets up the first one.',
    },
  ),
);
export const PENDING_BODY = { pending: fields.token };
export const openedAnswer = { csrf_token: Type.String({ description: 'For the header x-csrf-token.' }) };

export const signInRoutes: readonly ConsoleRoute[] = [
  publicRoute(
    {
      method: 'POST',
      path: '/console/v1/sign-in',
      name: 'signIn',
      summary: 'Sign in with the password; the next step is the second factor',
      tag: 'Sign-in',
      limit: 'sign_in',
      body: Type.Object({ email: fields.email, password: fields.password }),
      answer: { pending: pendingTokenField, factors: factorsSchema },
      refusals: ['sign_in_failed', 'sign_in_locked', 'sign_in_busy'],
    },
    async ({ request, body }, { people }) => {
      const device = readDeviceCookie(request);
      const signedIn = await signInWithPassword(people, { ...body, device });
      if (!signedIn.ok) return toConsoleFailure(signedIn.error, people.clock.now());
      const { token, factors: has } = signedIn.value;
      return ok({ pending: token, factors: renderFactors(has) });
    },
  ),
  publicRoute(
    {
      method: 'POST',
      path: '/console/v1/sign-in/second-factor',
      name: 'giveSecondFactor',
      summary: 'Give the second factor; this opens the session',
      tag: 'Sign-in',
      limit: 'sign_in',
      body: Type.Object({ ...PENDING_BODY, factor: fields.factor }),
      answer: openedAnswer,
      refusals: ['sign_in_failed', 'sign_in_locked', 'sign_in_ended'],
    },
    async (call, deps) => {
      const { pending: token, factor } = call.body;
      const given = { token, factor: readGivenFactor(factor), ...clientOfCall(call) };
      const result = await signInWithSecondFactor(deps.people, given);
      if (!result.ok) return toConsoleFailure(result.error, deps.people.clock.now());
      return ok(keepOpenedSession(call, deps, result.value));
    },
  ),
  publicRoute(
    {
      method: 'POST',
      path: '/console/v1/sign-in/passkey-options',
      name: 'askForPasskey',
      summary: 'Request the challenge that a passkey signs',
      tag: 'Sign-in',
      limit: 'sign_in',
      body: Type.Object(PENDING_BODY),
      answer: fields.passkeyOptions,
      refusals: ['sign_in_ended'],
    },
    async ({ body }, { people }) => {
      const asked = await makePasskeyChallenge(people, body.pending);
      return asked.ok ? ok({ options: asked.value }) : toConsoleFailure(asked.error, people.clock.now());
    },
  ),
];

export function renderFactors({
  totp,
  passkeys,
  recoveryCodesLeft,
}: SecondFactors): schemas.JsonOf<typeof factorsSchema> {
  return { totp, passkey: passkeys.length > 0, recovery_code: recoveryCodesLeft > 0 };
}

type GivenFactor =
  | { readonly kind: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly kind: 'passkey'; readonly answer: { readonly id: string } };

export function readGivenFactor(given: GivenFactor) {
  if (given.kind === 'passkey') return { kind: given.kind, answer: given.answer as PasskeyAnswer } as const;
  return { kind: given.kind, code: given.code } as const;
}

export function clientOfCall({ request }: RouteCall): ClientFacts {
  const userAgent = request.headers['user-agent'] ?? '';
  return { surface: 'browser', address: request.ip, userAgent, device: readDeviceCookie(request) };
}

export function keepOpenedSession(
  { reply }: RouteCall,
  { people }: ConsoleDeps,
  { token, session, device }: OpenedSession,
) {
  setSessionCookie(reply, token);
  setDeviceCookie(reply, device);
  return { csrf_token: deriveCsrfToken(people.box, session.id) };
}
