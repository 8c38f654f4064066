// The settings that operators change. A change that needs two people becomes a proposal and has no effect yet. The service
// makes all other changes immediately (domain/people/people-needed.ts).
import { type Static, type TObject, Type } from 'typebox';
import { changeSetting } from '../../../../app/back-office/change-setting.ts';
import type { SettingRequest } from '../../../../domain/back-office/setting.ts';
import { MAX_FEE_BPS } from '../../../../domain/catalogue/fees.ts';
import type { OperatorPermission } from '../../../../domain/people/roles.ts';
import { TRANSACTION_TYPES } from '../../../../domain/records/states.ts';
import { ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { renderSettingOutcome, settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import type { ConsoleDeps } from '../../deps.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRoute, type HandlerResult, operatorRoute, type SignedInCall } from '../../route.ts';
import { nairaField, parseNaira, reviewFailure } from './decisions.ts';

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

/** Makes a route with which the signed-in person changes a setting. `requestOf` reads the change from the request. */
function settingRoute<Body extends TObject>(
  docs: {
    readonly method: 'POST' | 'PUT';
    readonly path: string;
    readonly name: string;
    readonly summary: string;
    readonly body: Body;
  },
  requestOf: (call: SignedInCall<Static<Body>>) => SettingRequest,
  permission: OperatorPermission = 'settings.propose',
): ConsoleRoute {
  return operatorRoute(
    permission,
    'nothing',
    {
      ...docs,
      tag: 'Reviews',
      answer: settingOutcomeAnswer,
      refusals: ['not_found', 'invalid', 'not_possible', 'busy'],
    },
    (call: SignedInCall<Static<Body>>, deps) => answerSettingChange(deps, requestOf(call), call.actor),
  );
}

export async function answerSettingChange(
  deps: ConsoleDeps,
  request: SettingRequest,
  actor: string,
): HandlerResult<typeof settingOutcomeAnswer> {
  const changed = await changeSetting(deps, request, { actor });
  if (!changed.ok) return reviewFailure(changed.error);
  return ok(renderSettingOutcome(changed.value));
}

const product = Type.Union(
  TRANSACTION_TYPES.map((each) => Type.Literal(each)),
  { description: `one of ${TRANSACTION_TYPES.join(', ')}.` },
);
const businessField = Type.Optional(text(60, 'left out: for all businesses without a setting of their own.'));
const limit = Type.Optional(nairaField);

const vendorRoutes = [
  settingRoute(
    {
      method: 'POST',
      path: '/settings/vendors',
      name: 'addVendor',
      summary: 'Add a vendor account',
      body: Type.Object({
        mode: schemas.mode,
        name: text(140, 'the name on the account.'),
        number: text(10, 'the account number.'),
        bank: text(140, 'the bank.'),
      }),
    },
    ({ body }) => ({ setting: 'vendor_added', vendor: body }),
  ),
  settingRoute(
    {
      method: 'PUT',
      path: '/settings/vendors/:vendor_id/name',
      name: 'renameVendor',
      summary: 'Rename a vendor account',
      body: Type.Object({ name: text(140, 'the name on the account.') }),
    },
    ({ params, body: { name } }) => ({ setting: 'vendor_renamed', vendorId: params.vendor_id!, name }),
  ),
  settingRoute(
    {
      method: 'PUT',
      path: '/settings/vendors/:vendor_id/enabled',
      name: 'setVendorEnabled',
      summary: 'Enable or disable a vendor account',
      body: Type.Object({ enabled: Type.Boolean({ description: 'true or false.' }) }),
    },
    ({ params, body: { enabled } }) => ({
      setting: enabled ? 'vendor_enabled' : 'vendor_disabled',
      vendorId: params.vendor_id!,
    }),
  ),
  settingRoute(
    {
      method: 'PUT',
      path: '/settings/vendors/:vendor_id/source',
      name: 'setVendorSource',
      summary: 'Set the credit source of a vendor account',
      body: Type.Object({ source: text(60, 'the name of a rail, or statements.') }),
    },
    ({ params, body: { source } }) => ({
      setting: 'vendor_source_set',
      vendorId: params.vendor_id!,
      source,
    }),
  ),
];

const priceRoutes = [
  settingRoute(
    {
      method: 'POST',
      path: '/settings/fees',
      name: 'setFee',
      summary: 'Set a fee, valid from now',
      body: Type.Object({
        mode: schemas.mode,
        business_id: businessField,
        product,
        flat: nairaField,
        fee_bps: Type.Integer({ minimum: 0, maximum: MAX_FEE_BPS, description: `0 to ${MAX_FEE_BPS}.` }),
        cap: Type.Optional(nairaField),
      }),
    },
    ({ body }) => ({
      setting: 'fee_set',
      fee: {
        mode: body.mode,
        businessId: body.business_id ?? null,
        product: body.product,
        flatMinor: parseNaira(body.flat),
        feeBps: body.fee_bps,
        capMinor: body.cap === undefined ? null : parseNaira(body.cap),
        fromMs: null,
      },
    }),
  ),
  settingRoute(
    {
      method: 'POST',
      path: '/settings/limits',
      name: 'setLimits',
      summary: 'Set the limits of a business, or the general limits; an omitted limit is removed',
      body: Type.Object({
        mode: schemas.mode,
        business_id: businessField,
        per_transaction: limit,
        per_day: limit,
        per_month: limit,
      }),
    },
    ({ body }) => ({
      setting: 'limit_set',
      limit: {
        mode: body.mode,
        businessId: body.business_id ?? null,
        perTransactionMinor: minorOrNull(body.per_transaction),
        perDayMinor: minorOrNull(body.per_day),
        perMonthMinor: minorOrNull(body.per_month),
      },
    }),
  ),
];

const incidentRoutes = [
  settingRoute(
    {
      method: 'POST',
      path: '/settings/freezes',
      name: 'freezeBusiness',
      summary: 'Freeze a business in one mode immediately; one person is enough',
      body: Type.Object({ business_id: fields.id, mode: schemas.mode, reason: fields.reason }),
    },
    ({ body: { business_id: businessId, mode, reason } }) => ({
      ...{ setting: 'business_frozen', businessId, mode, reason },
    }),
    'money.stop',
  ),
  settingRoute(
    {
      method: 'POST',
      path: '/settings/freezes/lift',
      name: 'liftFreeze',
      summary: 'Unfreeze a business in one mode',
      body: Type.Object({ business_id: fields.id, mode: schemas.mode, reason: fields.reason }),
    },
    ({ body: { business_id: businessId, mode, reason } }) => ({
      ...{ setting: 'freeze_lifted', businessId, mode, reason },
    }),
  ),
  settingRoute(
    {
      method: 'POST',
      path: '/settings/movements/resume',
      name: 'resumeMovements',
      summary: 'Propose to resume money movements; another person must approve',
      body: Type.Object({ reason: fields.reason }),
    },
    ({ body: { reason } }) => ({ setting: 'movements_resumed', reason }),
  ),
];

function minorOrNull(amount: string | undefined): bigint | null {
  return amount === undefined ? null : parseNaira(amount);
}

export const settingRoutes: readonly ConsoleRoute[] = [...vendorRoutes, ...priceRoutes, ...incidentRoutes];
