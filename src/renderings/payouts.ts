// Renders a payout or a bank refund with its attempts.
import { Type } from 'typebox';
import type { BankDirectory } from '../domain/catalogue/banks.ts';
import { readMemory, readPayoutWait } from '../domain/movements/outcome-memory.ts';
import type { AccountDestination, MovementState } from '../domain/records/movement.ts';
import type { PayoutAttempt, PayoutRow } from '../ports/operations/operations-store.ts';
import type { UnknownPayout } from '../ports/review-store.ts';
import { renderRecord } from './parts/record.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaText } from './parts/values.ts';

export const PAYOUT_STATES = [
  ...(['pending', 'sending', 'unknown', 'done', 'failed', 'returned'] as const),
] satisfies readonly MovementState[];
const text = Type.String();
const maybe = schemas.nullable;

const payoutFields = {
  id: text,
  kind: schemas.oneOf(['payout', 'refund']),
  mode: schemas.mode,
  state: schemas.oneOf(PAYOUT_STATES),
  reason: maybe(Type.String({ description: 'Why it is in this state, if there is a reason.' })),
  amount: Type.String({ description: 'In naira, for example "15000.00".' }),
  to: maybe(Type.Object({ bank_code: text, bank: text, account_number: text, account_name: maybe(text) })),
  from_account: maybe(
    Type.String({ description: 'Our bank account in which the naira for it are reserved.' }),
  ),
  rail: maybe(Type.String({ description: 'Of the last attempt.' })),
  reference: maybe(Type.String({ description: 'The reference of the last attempt, as the bank knows it.' })),
  attempts: Type.Integer(),
  next_try_at: maybe(schemas.time),
  sure_at: maybe(
    Type.String({
      description:
        'If the bank refused it: about when it becomes certain that the bank will not pay it after all. Until then nothing else is done.',
    }),
  ),
  needs_people: Type.Boolean({
    description:
      'The bank does not report the outcome: two people must find it out and record it (paid, unpaid).',
  }),
  business_id: maybe(text),
  business_name: maybe(text),
  transaction_id: maybe(text),
  credit_id: maybe(text),
  case_id: maybe(Type.String({ description: 'The open case about it.' })),
  created_at: schemas.time,
  updated_at: schemas.time,
};
export const payoutShape = schemas.nameSchema('Payout', Type.Object(payoutFields));
export const attemptShape = schemas.nameSchema(
  'PayoutAttempt',
  Type.Object({
    no: Type.Integer(),
    rail: maybe(text),
    reference: text,
    state: schemas.oneOf(['prepared', 'accepted', 'unknown', 'rejected', 'landed', 'failed', 'dead']),
    said: maybe(Type.String({ description: 'The last message of the bank.' })),
    evidence: maybe(schemas.record),
    at: schemas.time,
    updated_at: schemas.time,
  }),
);

export function toPayoutRow({ tried, ...movement }: UnknownPayout): PayoutRow {
  const last = tried.at(-1);
  return {
    ...movement,
    ...{ rail: last?.rail ?? null, reference: last?.reference ?? null },
    ...{ businessId: null, businessName: null, caseId: null },
    ...readPayoutWait(movement, last?.evidence ?? null),
  };
}

export function renderPayout(
  row: PayoutRow,
  { banks }: { readonly banks: BankDirectory },
): schemas.JsonOf<typeof payoutShape> {
  const { destination, dueAtMs } = row;
  return {
    // A bank pays only payouts and refunds.
    kind: row.kind as 'payout' | 'refund',
    ...{ id: row.id, mode: row.mode, state: row.state, reason: row.reason },
    amount: nairaText(row.nairaMinor),
    to: destination === null ? null : renderTarget(destination as AccountDestination, banks),
    from_account: row.bankAccount,
    ...{ rail: row.rail, reference: row.reference, attempts: row.attempts },
    next_try_at: dueAtMs === null ? null : isoTime(dueAtMs),
    sure_at: row.sureAtMs === null ? null : isoTime(row.sureAtMs),
    needs_people: row.needsPeople,
    ...{ business_id: row.businessId, business_name: row.businessName },
    ...{ transaction_id: row.transactionId, credit_id: row.creditId, case_id: row.caseId },
    created_at: isoTime(row.createdAtMs),
    updated_at: isoTime(row.updatedAtMs),
  };
}

function renderTarget({ bankCode, accountNumber, accountName }: AccountDestination, banks: BankDirectory) {
  return {
    ...{ bank_code: bankCode, bank: banks.resolve(bankCode)?.name ?? bankCode },
    ...{ account_number: accountNumber, account_name: accountName },
  };
}

export function renderAttempt(given: PayoutAttempt): schemas.JsonOf<typeof attemptShape> {
  const { no, rail, reference, state, evidence, atMs, updatedAtMs } = given;
  // The stored reason may contain the service's own text after the bank's text.
  const { refusal } = readMemory({ evidence });
  const said = evidence?.bank_says ?? refusal?.reason ?? evidence?.reason;
  return {
    ...{ no, rail, reference, state, said: typeof said === 'string' ? said : null },
    evidence: evidence === null ? null : renderRecord({ ...evidence }),
    at: isoTime(atMs),
    updated_at: isoTime(updatedAtMs),
  };
}
