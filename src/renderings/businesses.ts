// Renders a business as the operator sees it: its data, its recent volume, and its settings in one mode.
import { Type } from 'typebox';
import type { BusinessTerms } from '../app/operations/read-business-terms.ts';
import { TRANSACTION_TYPES } from '../domain/records/states.ts';
import type { Wallet } from '../domain/records/transaction.ts';
import type { BusinessRow } from '../ports/operations/operations-store.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaOrNull, nairaText } from './parts/values.ts';

/** The volume of a business covers the last thirty days. */
export const VOLUME_MS = 30 * 24 * 60 * 60 * 1000;

const naira = Type.String({ description: 'In naira.' });

const volume = schemas.nameSchema(
  'Volume',
  Type.Object({
    amount: naira,
    count: Type.Integer(),
    completed: Type.Integer(),
    more: Type.Boolean({ description: 'There are more transactions than were counted.' }),
  }),
);
const fee = schemas.nameSchema(
  'Fee',
  Type.Object({
    product: schemas.oneOf(TRANSACTION_TYPES),
    flat: naira,
    fee_bps: Type.Integer(),
    cap: schemas.nullable(naira),
    own: Type.Boolean({ description: 'False: the general fee, for businesses without their own.' }),
  }),
);

export const operatorBusiness = schemas.nameSchema(
  'Business',
  Type.Object({
    business_id: Type.String(),
    name: Type.String(),
    link_tag: Type.String(),
    tier: Type.String({ description: 'The spreads depend on the tier.' }),
    sandbox: Type.Boolean(),
    created_at: schemas.time,
    volume,
    limits: Type.Object({
      per_transaction: schemas.nullable(naira),
      per_day: schemas.nullable(naira),
      per_month: schemas.nullable(naira),
      own: Type.Boolean({ description: 'False: the general limits, for businesses without their own.' }),
    }),
    fees: Type.Array(fee),
    frozen: schemas.nullable(Type.Object({ reason: Type.String(), since: schemas.time })),
  }),
);

export function renderBusiness(
  row: BusinessRow,
  { limits, fees, freeze }: BusinessTerms,
): schemas.JsonOf<typeof operatorBusiness> {
  const { totalMinor, count, completed, more } = row.volume;
  return {
    business_id: row.id,
    name: row.name,
    link_tag: row.linkTag,
    tier: row.tier,
    sandbox: row.sandbox,
    created_at: isoTime(row.createdAtMs),
    volume: { amount: nairaText(totalMinor), count, completed, more },
    limits: {
      per_transaction: nairaOrNull(limits.perTransactionMinor),
      per_day: nairaOrNull(limits.perDayMinor),
      per_month: nairaOrNull(limits.perMonthMinor),
      own: limits.own,
    },
    fees: fees.map(({ product, rule, own }) => ({
      ...{ product, own, flat: nairaText(rule?.flatMinor ?? 0n), fee_bps: rule?.feeBps ?? 0 },
      cap: nairaOrNull(rule?.capMinor ?? null),
    })),
    frozen: freeze && { reason: freeze.reason, since: isoTime(freeze.atMs) },
  };
}

export function renderWallet({ network, address }: Wallet): schemas.JsonOf<typeof schemas.wallet> {
  return { network, wallet_address: address };
}
