// Sets up a person's first second factor during the first sign-in. The session opens only after this set-up.
import { Type } from 'typebox';
import {
  addFirstPasskey,
  beginFirstPasskey,
  beginFirstTotp,
  confirmFirstTotp,
} from '../../../../app/people/enrol-first-factor.ts';
import { ok } from '../../../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../../../ports/people/credentials.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, publicRoute } from '../../route.ts';
import { toConsoleFailure } from '../../to-console-failure.ts';
import { clientOfCall, keepOpenedSession, openedAnswer, PENDING_BODY } from './sign-in.ts';

const COMMON = { method: 'POST', tag: 'Sign-in', limit: 'sign_in' } as const;
const REFUSALS = ['sign_in_ended', 'sign_in_locked', 'has_second_factor'] as const;
const firstAnswer = { ...openedAnswer, recovery_codes: fields.recoveryCodes };

export const firstFactorRoutes: readonly ConsoleRoute[] = [
  publicRoute(
    {
      ...COMMON,
      path: '/console/v1/sign-in/totp',
      name: 'beginFirstTotp',
      summary: 'Start to set up an authenticator application during the first sign-in',
      body: Type.Object(PENDING_BODY),
      answer: fields.totpSecret,
      refusals: REFUSALS,
    },
    async ({ body }, { people }) => {
      const begun = await beginFirstTotp(people, body.pending);
      return begun.ok ? ok({ ...begun.value }) : toConsoleFailure(begun.error, people.clock.now());
    },
  ),
  publicRoute(
    {
      ...COMMON,
      path: '/console/v1/sign-in/totp/confirm',
      name: 'confirmFirstTotp',
      summary: 'Confirm the authenticator application with a code; this opens the first session',
      body: Type.Object({ ...PENDING_BODY, code: Type.String({ minLength: 1, maxLength: 20 }) }),
      answer: firstAnswer,
      refusals: [...REFUSALS, 'wrong_code', 'no_totp_begun', 'belongs_to_another'],
    },
    async (call, deps) => {
      const { pending: token, code } = call.body;
      const result = await confirmFirstTotp(deps.people, { token, code, ...clientOfCall(call) });
      if (!result.ok) return toConsoleFailure(result.error, deps.people.clock.now());
      return ok({
        ...keepOpenedSession(call, deps, result.value),
        recovery_codes: result.value.recoveryCodes,
      });
    },
  ),
  publicRoute(
    {
      ...COMMON,
      path: '/console/v1/sign-in/passkey',
      name: 'beginFirstPasskey',
      summary: 'Start to set up a passkey during the first sign-in',
      body: Type.Object(PENDING_BODY),
      answer: fields.passkeyOptions,
      refusals: REFUSALS,
    },
    async ({ body }, { people }) => {
      const begun = await beginFirstPasskey(people, body.pending);
      return begun.ok ? ok({ options: begun.value }) : toConsoleFailure(begun.error, people.clock.now());
    },
  ),
  publicRoute(
    {
      ...COMMON,
      path: '/console/v1/sign-in/passkey/confirm',
      name: 'addFirstPasskey',
      summary: 'Add the passkey; this opens the first session',
      body: Type.Object({
        ...PENDING_BODY,
        answer: fields.passkeyAnswer,
        name: Type.String({ maxLength: 60, description: 'a name for the passkey.' }),
      }),
      answer: firstAnswer,
      refusals: [...REFUSALS, 'wrong_answer', 'belongs_to_another'],
    },
    async (call, deps) => {
      const { pending: token, answer, name } = call.body;
      const given = { token, answer: answer as PasskeyAnswer, name, ...clientOfCall(call) };
      const result = await addFirstPasskey(deps.people, given);
      if (!result.ok) return toConsoleFailure(result.error, deps.people.clock.now());
      return ok({
        ...keepOpenedSession(call, deps, result.value),
        recovery_codes: result.value.recoveryCodes,
      });
    },
  ),
];
