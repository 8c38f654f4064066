// The second factors of the signed-in person, and step-ups. In a step-up, the person gives a second factor again for one
// subject.
import { Type } from 'typebox';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  removePasskey,
  replaceRecoveryCodes,
} from '../../../../app/people/second-factors.ts';
import { makeStepUpChallenge, stepUp } from '../../../../app/people/step-up.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { PasskeyAnswer } from '../../../../ports/people/credentials.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import * as fields from '../../fields.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, sessionRoute } from '../../route.ts';
import { toConsoleFailure } from '../../to-console-failure.ts';
import { readGivenFactor } from './sign-in.ts';

const passkey = schemas.nameSchema(
  'Passkey',
  Type.Object({
    credential_id: Type.String(),
    name: Type.String(),
    created_at: schemas.time,
    used_at: schemas.nullable(schemas.time),
  }),
);
const POST = { method: 'POST', tag: 'Session' } as const;

const listRoute = sessionRoute(
  {
    method: 'GET',
    path: '/console/v1/second-factors',
    name: 'listSecondFactors',
    summary: 'List your second factors',
    tag: 'Session',
    answer: {
      totp: Type.Boolean(),
      passkeys: Type.Array(passkey),
      recovery_codes_left: Type.Integer(),
    },
  },
  async ({ actor }, { people: { signIn } }) => {
    const { totp, recoveryCodesLeft } = await signIn.secondFactorsOf(actor);
    const passkeys = (await signIn.passkeysOf(actor)).map((each) => ({
      credential_id: each.credentialId,
      name: each.name,
      created_at: isoTime(each.createdAtMs),
      used_at: each.usedAtMs === null ? null : isoTime(each.usedAtMs),
    }));
    return ok({ totp, passkeys, recovery_codes_left: recoveryCodesLeft });
  },
);

const totpRoutes = [
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/second-factors/totp',
      name: 'beginTotp',
      summary: 'Start to set up a new authenticator application, which replaces the current one',
      answer: fields.totpSecret,
      refusals: ['step_up_needed'],
    },
    async ({ signedIn }, { people }) => {
      const begun = await beginTotp(people, signedIn);
      return begun.ok ? ok({ ...begun.value }) : toConsoleFailure(begun.error, people.clock.now());
    },
  ),
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/second-factors/totp/confirm',
      name: 'confirmTotp',
      summary: 'Confirm the new authenticator application with a code',
      limit: 'sign_in',
      body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) }),
      answer: {},
      refusals: ['step_up_needed', 'step_up_locked', 'wrong_code', 'no_totp_begun', 'belongs_to_another'],
    },
    async ({ signedIn, body }, { people }) => {
      const confirmed = await confirmTotp(people, signedIn, body.code);
      return confirmed.ok ? ok({}) : toConsoleFailure(confirmed.error, people.clock.now());
    },
  ),
];

const passkeyRoutes = [
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/second-factors/passkeys/options',
      name: 'beginPasskey',
      summary: 'Start to set up a passkey',
      answer: fields.passkeyOptions,
      refusals: ['step_up_needed'],
    },
    async ({ signedIn }, { people }) => {
      const begun = await beginPasskey(people, signedIn);
      return begun.ok ? ok({ options: begun.value }) : toConsoleFailure(begun.error, people.clock.now());
    },
  ),
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/second-factors/passkeys',
      name: 'addPasskey',
      summary: 'Add the passkey',
      body: Type.Object({
        answer: fields.passkeyAnswer,
        name: Type.String({ maxLength: 60, description: 'a name for the passkey.' }),
      }),
      answer: {},
      refusals: ['step_up_needed', 'wrong_answer', 'belongs_to_another'],
    },
    async ({ signedIn, body }, { people }) => {
      const added = await addPasskey(people, signedIn, body.answer as PasskeyAnswer, body.name);
      return added.ok ? ok({}) : toConsoleFailure(added.error, people.clock.now());
    },
  ),
  sessionRoute(
    {
      method: 'DELETE',
      path: '/console/v1/second-factors/passkeys/:credential_id',
      name: 'removePasskey',
      summary: 'Remove a passkey',
      tag: 'Session',
      answer: {},
      refusals: ['step_up_needed', 'last_second_factor', 'not_found'],
    },
    async ({ signedIn, params }, { people }) => {
      const removed = await removePasskey(people, signedIn, params.credential_id!);
      if (removed.ok) return ok({});
      const { error } = removed;
      return error.code === 'not_found'
        ? fail(NO_SUCH_RECORD)
        : toConsoleFailure({ code: error.code }, people.clock.now());
    },
  ),
];

const recoveryCodesRoute = sessionRoute(
  {
    ...POST,
    path: '/console/v1/second-factors/recovery-codes',
    name: 'newRecoveryCodes',
    summary: 'Create new recovery codes; the old codes stop working',
    answer: { recovery_codes: fields.recoveryCodes },
    refusals: ['step_up_needed'],
  },
  async ({ signedIn }, { people }) => {
    const codes = await replaceRecoveryCodes(people, signedIn);
    return codes.ok ? ok({ recovery_codes: codes.value }) : toConsoleFailure(codes.error, people.clock.now());
  },
);

const SUBJECT = {
  subject_id: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'what the second factor is for: the id of a proposal, or your own person_id to change your second factors.',
  }),
};

const stepUpRoutes = [
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/step-ups',
      name: 'stepUp',
      summary:
        'Give a second factor for one subject; it is valid for decisions about the subject for five minutes',
      limit: 'sign_in',
      body: Type.Object({ ...SUBJECT, factor: fields.factor }),
      answer: { step_up_id: Type.String(), at: schemas.time },
      refusals: ['wrong_factor', 'step_up_locked'],
    },
    async ({ signedIn, body }, { people }) => {
      const given = await stepUp(people, signedIn, body.subject_id, readGivenFactor(body.factor));
      if (!given.ok) return toConsoleFailure(given.error, people.clock.now());
      return ok({ step_up_id: given.value.id, at: isoTime(given.value.atMs) });
    },
  ),
  sessionRoute(
    {
      ...POST,
      path: '/console/v1/step-ups/passkey-options',
      name: 'askForStepUpPasskey',
      summary: 'Request the challenge that a passkey signs for a step-up',
      body: Type.Object(SUBJECT),
      answer: fields.passkeyOptions,
      refusals: ['step_up_locked'],
    },
    async ({ signedIn, body }, { people }) => {
      const asked = await makeStepUpChallenge(people, signedIn, body.subject_id);
      return asked.ok ? ok({ options: asked.value }) : toConsoleFailure(asked.error, people.clock.now());
    },
  ),
];

export const secondFactorRoutes: readonly ConsoleRoute[] = [
  listRoute,
  ...totpRoutes,
  ...passkeyRoutes,
  recoveryCodesRoute,
  ...stepUpRoutes,
];
