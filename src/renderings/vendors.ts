// Renders a vendor account with the money that it awaits, and a proposal about a vendor account.
import { Type } from 'typebox';
import type { ShownVendor } from '../app/back-office/show-vendors.ts';
import type { SettingProposal } from '../domain/back-office/setting.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaText } from './parts/values.ts';

const text = Type.String();
export const vendorProposal = schemas.nameSchema(
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

export const vendorShape = schemas.nameSchema(
  'Vendor',
  Type.Object({
    ...{ vendor_id: text, mode: schemas.mode, name: text, number: text, bank: text, bank_code: text },
    enabled: Type.Boolean(),
    source: schemas.nullable(
      Type.String({ description: 'The source that creates the credits of the account. Null: none yet.' }),
    ),
    awaited: Type.Object({
      buys: Type.Integer({ description: 'Buys that wait for a payment into this account.' }),
      amount: Type.String({ description: 'In naira, for example "15000.00".' }),
      is_more: Type.Boolean({ description: 'True: there are more than were counted.' }),
    }),
    proposals: Type.Array(vendorProposal),
  }),
);

export function renderVendor(shown: ShownVendor): schemas.JsonOf<typeof vendorShape> {
  const { awaited, proposals } = shown;
  const { id, mode, name, number, bank, bankCode, active, creditSource } = shown.vendor;
  return {
    ...{ vendor_id: id, mode, name, number, bank, bank_code: bankCode, enabled: active },
    source: creditSource ?? null,
    awaited: { buys: awaited.buys, amount: nairaText(awaited.amountMinor), is_more: awaited.isMore },
    proposals: proposals.map(renderVendorProposal),
  };
}

export function renderVendorProposal(given: SettingProposal): schemas.JsonOf<typeof vendorProposal> {
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
