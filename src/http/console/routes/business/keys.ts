// Lists, creates, renames, rolls (replaces) and revokes the secret keys of a business. A key is shown only in the response to
// the request that creates it. Only owners manage live keys.
import { Type } from 'typebox';
import {
  checkKeyName,
  issueKey,
  renameKey,
  revokeKey,
  rollKey,
} from '../../../../app/back-office/manage-keys.ts';
import { KEY_NAME_MAX, UNNAMED_FULL_KEY } from '../../../../domain/catalogue/secret-keys.ts';
import { businessRoleMay } from '../../../../domain/people/roles.ts';
import type { Mode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { StoredKey } from '../../../../ports/back-office.ts';
import { issuedKeyAnswer, keyShape, renderIssuedKey, renderKey } from '../../../../renderings/keys.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { type ConsoleRefusal, NO_SUCH_BUSINESS, NO_SUCH_RECORD, NOT_ALLOWED } from '../../refusals.ts';
import { type BusinessCall, businessRoute, type ConsoleRoute } from '../../route.ts';

const TAG = { tag: 'Business' } as const;
const MAX_OVERLAP_HOURS = 720;
const keyName = Type.String({
  maxLength: 200,
  description: `at most ${KEY_NAME_MAX} characters in one line.`,
});
const NAME_REFUSALS = ['text_invalid', 'too_long'] as const;
const NOT_ACTIVE: ConsoleRefusal = {
  code: 'not_possible',
  message: 'This key is no longer active: it was revoked or rolled.',
};

export const keyRoutes: readonly ConsoleRoute[] = [
  businessRoute(
    'keys.read',
    {
      ...TAG,
      method: 'GET',
      path: '/keys',
      name: 'listKeys',
      summary: 'List the keys of both modes, without their secret values',
      answer: { keys: Type.Array(keyShape) },
    },
    async ({ businessId }, { backOffice }) => {
      const keys = await backOffice.listKeys(businessId);
      return ok({ keys: keys.map(renderKey) });
    },
  ),
  businessRoute(
    'keys.manage',
    {
      ...TAG,
      method: 'POST',
      path: '/keys',
      name: 'issueKey',
      summary: 'Create a key; only owners can create live keys',
      body: Type.Object({
        mode: schemas.mode,
        name: Type.Optional(keyName),
        scope: Type.Optional(schemas.keyScope),
      }),
      answer: issuedKeyAnswer,
      refusals: NAME_REFUSALS,
    },
    async (call, deps) => {
      const { businessId, actor, body } = call;
      if (!mayManageKeys(call, body.mode)) return fail(NOT_ALLOWED);
      const name = checkKeyName(body.name ?? UNNAMED_FULL_KEY.name);
      if (!name.ok) return name;
      const facts = { name: name.value, scope: body.scope ?? UNNAMED_FULL_KEY.scope };
      const key = await issueKey({ ...deps, actor }, businessId, body.mode, facts);
      return key === undefined ? fail(NO_SUCH_BUSINESS) : ok(renderIssuedKey(key));
    },
  ),
  businessRoute(
    'keys.manage',
    {
      ...TAG,
      method: 'PUT',
      path: '/keys/:key_id/name',
      name: 'renameKey',
      summary: 'Rename a key; an empty name removes the name',
      body: Type.Object({ name: keyName }),
      answer: { name: Type.String() },
      refusals: [...NAME_REFUSALS, 'not_found'],
    },
    async (call, deps) => {
      const { actor, body, params } = call;
      const key = await findOwnKey(call, deps);
      if (key === undefined) return fail(NO_SUCH_RECORD);
      if (!mayManageKeys(call, key.mode)) return fail(NOT_ALLOWED);
      const name = checkKeyName(body.name);
      if (!name.ok) return name;
      await renameKey({ ...deps, actor }, params.key_id!, name.value);
      return ok({ name: name.value });
    },
  ),
  businessRoute(
    'keys.manage',
    {
      ...TAG,
      method: 'POST',
      path: '/keys/:key_id/roll',
      name: 'rollKey',
      summary:
        'Replace a key by a new one with the same name and scope; the old key stays valid during the overlap',
      body: Type.Object({
        overlap_hours: Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_HOURS,
          description: `a whole number from 0 to ${MAX_OVERLAP_HOURS}.`,
        }),
      }),
      answer: issuedKeyAnswer,
      refusals: ['not_possible', 'not_found'],
    },
    async (call, deps) => {
      const { actor, body, params } = call;
      const key = await findOwnKey(call, deps);
      if (key === undefined) return fail(NO_SUCH_RECORD);
      if (!mayManageKeys(call, key.mode)) return fail(NOT_ALLOWED);
      const overlapMs = body.overlap_hours * 3_600_000;
      const rolled = await rollKey({ ...deps, actor }, params.key_id!, overlapMs);
      return rolled === undefined ? fail(NOT_ACTIVE) : ok(renderIssuedKey(rolled));
    },
  ),
  businessRoute(
    'keys.manage',
    {
      ...TAG,
      method: 'DELETE',
      path: '/keys/:key_id',
      name: 'revokeKey',
      summary: 'Revoke a key; it stops working immediately',
      answer: {},
      refusals: ['not_possible', 'not_found'],
    },
    async (call, deps) => {
      const { actor, params } = call;
      const key = await findOwnKey(call, deps);
      if (key === undefined) return fail(NO_SUCH_RECORD);
      if (!mayManageKeys(call, key.mode)) return fail(NOT_ALLOWED);
      return (await revokeKey({ ...deps, actor }, params.key_id!)) ? ok({}) : fail(NOT_ACTIVE);
    },
  ),
];

/** The service treats a key of another business as a key that does not exist. */
async function findOwnKey(
  { businessId, params }: BusinessCall,
  { backOffice }: ConsoleDeps,
): Promise<StoredKey | undefined> {
  return (await backOffice.listKeys(businessId)).find(({ id }) => id === params.key_id);
}

function mayManageKeys({ role }: BusinessCall, mode: Mode): boolean {
  return mode === 'test' || businessRoleMay(role, 'keys.manage_live');
}
