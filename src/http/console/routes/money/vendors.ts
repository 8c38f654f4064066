// The vendor accounts of one mode, as the operator looks at them. They are changed as settings (settings.ts).
import { Type } from 'typebox';
import { type ShownVendor, showVendors } from '../../../../app/back-office/show-vendors.ts';
import type { SettingProposal } from '../../../../domain/back-office/setting.ts';
import { needsTwo } from '../../../../domain/people/decisions.ts';
import { decimal } from '../../../../domain/values/decimal.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { isoTime } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';

const text = Type.String();
const proposal = schemas.named(
  'VendorProposal',
  Type.Object({
    proposal_id: text,
    setting: text,
    proposed_by: text,
    proposed_at: schemas.time,
    name: schemas.nullable(Type.String({ description: 'The name that is proposed.' })),
    number: schemas.nullable(Type.String({ description: 'The account number that is proposed.' })),
    bank: schemas.nullable(Type.String({ description: 'The bank that is proposed.' })),
    source: schemas.nullable(Type.String({ description: 'The source that is proposed.' })),
  }),
);

const vendor = schemas.named(
  'Vendor',
  Type.Object({
    ...{ vendor_id: text, name: text, number: text, bank: text, bank_code: text },
    enabled: Type.Boolean(),
    source: schemas.nullable(
      Type.String({ description: 'The source that gives value for the account. Null: none yet.' }),
    ),
    awaited: Type.Object({
      buys: Type.Integer({ description: 'Buys that wait for a payment into this account.' }),
      amount: Type.String({ description: 'In naira, for example "15000.00".' }),
      is_more: Type.Boolean({ description: 'True: there are more than were counted.' }),
    }),
    proposals: Type.Array(proposal),
  }),
);

export const vendorRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      tag: 'Treasury',
      method: 'GET',
      path: '/vendors/:mode',
      name: 'listVendorsAsOperator',
      summary:
        'List the vendor accounts of one mode with their source, the money awaited and the proposals about them',
      answer: {
        vendors: Type.Array(vendor),
        additions: Type.Array(proposal),
        sources: Type.Array(Type.String(), {
          description: 'What can give value for an account: statements, or a rail of this mode.',
        }),
        needs_two: Type.Boolean({
          description: 'Whether a new, renamed or enabled account, or another source, takes two people.',
        }),
      },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const shown = await showVendors(deps, mode);
      return ok({
        vendors: shown.vendors.map(renderVendor),
        additions: shown.additions.map(renderProposed),
        sources: shown.sources,
        needs_two: needsTwo('vendor_added', mode),
      });
    },
  ),
];

function renderVendor(shown: ShownVendor): schemas.Shown<typeof vendor> {
  const { awaited, proposals } = shown;
  const { id, name, number, bank, bankCode, active, creditSource } = shown.vendor;
  return {
    ...{ vendor_id: id, name, number, bank, bank_code: bankCode, enabled: active },
    source: creditSource ?? null,
    awaited: { buys: awaited.buys, amount: decimal(awaited.amountMinor, 2), is_more: awaited.isMore },
    proposals: proposals.map(renderProposed),
  };
}

function renderProposed(given: SettingProposal): schemas.Shown<typeof proposal> {
  const { id, request, proposedBy, proposedAtMs } = given;
  const added = request.setting === 'vendor_added' ? request.vendor : null;
  const renamed = request.setting === 'vendor_renamed' ? request.name : null;
  return {
    ...{ proposal_id: id, setting: request.setting, proposed_by: proposedBy },
    proposed_at: isoTime(proposedAtMs),
    ...{ name: added?.name ?? renamed, number: added?.number ?? null, bank: added?.bank ?? null },
    source: request.setting === 'vendor_source_set' ? request.source : null,
  };
}
