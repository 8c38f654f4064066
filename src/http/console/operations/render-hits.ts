// Renders search results as one list. Each result has a title, a detail and the id of its record. A member sees only those
// fields of a transaction that the API shows.
import { Type } from 'typebox';
import type { FoundRecords } from '../../../app/operations/search-records.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { NamedRecord } from '../../../ports/operations/record-search.ts';
import * as schemas from '../../../renderings/parts/schemas.ts';
import { isoTime, renderAmount } from '../../../renderings/parts/values.ts';
import type { SubjectContext } from '../../../renderings/subjects.ts';

const KINDS = ['transaction', 'credit', 'deposit', 'movement', 'business', 'vendor', 'person'] as const;

export const hit = schemas.nameSchema(
  'Hit',
  Type.Object({
    kind: schemas.oneOf(KINDS),
    id: Type.String(),
    title: Type.String({ description: 'The record in one line.' }),
    detail: Type.String({ description: 'More about the record, in one line.' }),
    state: schemas.nullable(Type.String()),
    at: schemas.nullable(schemas.time),
  }),
);
type Hit = schemas.JsonOf<typeof hit>;

const joinParts = (...parts: readonly (string | null | undefined)[]) =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ');

export function transactionHit(transaction: Transaction, businessName: string | null): Hit {
  const { id, type, amountMinor, accountName, accountNumber, reference, state, createdAtMs } = transaction;
  return {
    kind: 'transaction',
    ...{ id, state, at: isoTime(createdAtMs) },
    title: joinParts(`${type === 'buy' ? 'Buy' : 'Sell'} of ${formatNaira(amountMinor)}`, accountName),
    detail: joinParts(businessName, reference, accountNumber),
  };
}

export function renderHits(found: FoundRecords, { decimals, businessNames }: SubjectContext): readonly Hit[] {
  const tokens = (of: { amountMinor: bigint; mode: 'live' | 'test'; asset: string }) => {
    const { amount, asset, network } = renderAmount(of.amountMinor, of, decimals);
    return network === null ? formatNaira(of.amountMinor) : `${amount ?? ''} ${asset} on ${network}`.trim();
  };
  return [
    ...found.transactions.found.map((each) =>
      transactionHit(each, businessNames.get(each.businessId) ?? null),
    ),
    ...found.credits.found.map((each) => ({
      kind: 'credit' as const,
      ...{ id: each.id, state: each.state, at: isoTime(each.receivedAtMs) },
      title: joinParts(`Bank credit of ${formatNaira(each.amountMinor)}`, each.payerName),
      detail: joinParts(each.payerAccount, each.narration, each.sessionId),
    })),
    ...found.deposits.map((each) => ({
      kind: 'deposit' as const,
      ...{ id: each.id, state: each.state, at: isoTime(each.seenAtMs) },
      ...{ title: `Deposit of ${tokens(each)}`, detail: joinParts(each.txHash, each.transactionId) },
    })),
    ...found.movements.map((each) => ({
      kind: 'movement' as const,
      ...{ id: each.id, state: each.state, at: isoTime(each.createdAtMs) },
      title: `${each.kind.charAt(0).toUpperCase()}${each.kind.slice(1)} of ${tokens(each)}`,
      detail: joinParts(each.transactionId, each.creditId),
    })),
    ...found.businesses.map(namedHit('business')),
    ...found.vendors.map(namedHit('vendor')),
    ...found.people.map(namedHit('person')),
  ];
}

function namedHit(kind: 'business' | 'vendor' | 'person') {
  return ({ id, name, detail }: NamedRecord): Hit => ({
    kind,
    id,
    title: name,
    detail,
    state: null,
    at: null,
  });
}
