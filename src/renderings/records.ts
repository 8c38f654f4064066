// All records that wait for a person, and one record with its related records, with every stored field that is not internal.
import { type TObject, Type } from 'typebox';
import type { RecordWithRelated } from '../app/review/read-record.ts';
import { CREDIT_STATES } from '../domain/records/credit.ts';
import { STATES, TRANSACTION_TYPES } from '../domain/records/states.ts';
import type { ReviewQueue, UnknownPayout } from '../ports/review-store.ts';
import { renderRecord } from './parts/record.ts';
import { type JsonOf, mode, nameSchema, nullable, oneOf, record, time } from './parts/schemas.ts';
import { CASE_KINDS, CASE_OUTCOMES, DEPOSIT_STATES, MOVEMENT_STATES, NOTICE_KINDS } from './subjects.ts';

const text = Type.String();
const maybe = nullable(text);
const naira = Type.Number({ description: 'In naira.' });
/** Stored as it was received. */
const raw = Type.Unknown({ description: 'As it was received; its fields differ by source.' });

const transactionRecord = nameSchema(
  'TransactionRecord',
  Type.Object({
    ...{ id: text, business_id: text, mode, type: oneOf(TRANSACTION_TYPES), reference: text, link_tag: text },
    ...{ state: oneOf(STATES), state_reason: maybe, exception: maybe, amount: naira, fee: naira },
    ...{ received: naira, refunded: naira, released: Type.Boolean(), flags: Type.Array(text) },
    ...{ account_number: text, account_name: maybe, bank_name: text, bank_code: maybe },
    vendor: nullable(Type.Object({ vendor_id: text, name: text, number: text, bank: text })),
    wallet: nullable(Type.Object({ network: text, address: text })),
    deposits: Type.Array(
      Type.Object({
        ...{ network: text, address: text, memo: maybe, memo_type: maybe, asset: text },
        ...{ decimals: Type.Integer(), expected_token: text, confirmations: Type.Integer() },
        expires_at: time,
      }),
    ),
    ...{ quote_id: maybe, tx_hash: maybe, created_at: time, updated_at: time, expires_at: time },
  }),
);

const creditFields = {
  ...{ id: text, parent_id: maybe, mode, source: text, source_id: text, state: oneOf(CREDIT_STATES) },
  ...{ exception: maybe, transaction_id: maybe, business_id: maybe, amount: naira },
  ...{ account_number: text, account_bank_code: maybe, payer_account: maybe, payer_name: maybe },
  ...{ payer_bank_name: maybe, payer_bank_code: maybe, narration: maybe, session_id: maybe },
  ...{ balance: nullable(naira), value_at: time, received_at: time, raw },
};
const creditRecord = nameSchema('CreditRecord', Type.Object(creditFields));
const creditInReview = nameSchema(
  'CreditInReview',
  Type.Object({
    ...creditFields,
    candidates: Type.Array(
      Type.Object({ transaction_id: text, score: Type.Number(), reasons: Type.Array(text) }),
    ),
  }),
);

/** Of the two, a record has one. */
const amountInAsset = {
  amount: Type.Optional(Type.Number({ description: 'In naira, if the asset is naira.' })),
  amount_minor: Type.Optional(Type.String({ description: "In the token's minor units, if it is a token." })),
};
const depositRecord = nameSchema(
  'DepositRecord',
  Type.Object({
    ...{ id: text, mode, network: text, tx_hash: text, tx_index: Type.Integer(), address: text, memo: text },
    ...{ sender: maybe, asset: text, ...amountInAsset, transaction_id: maybe },
    ...{ state: oneOf(DEPOSIT_STATES), exception: maybe, seen_at: time, chain_at: nullable(time) },
  }),
);

const movementFields = {
  ...{ id: text, kind: oneOf(['send', 'payout', 'refund', 'sweep', 'withdrawal']), mode, network: maybe },
  ...{ asset: text, ...amountInAsset, naira, transaction_id: maybe, credit_id: maybe, deposit_id: maybe },
  destination: nullable(
    Type.Union([
      Type.Object({ address: text }),
      Type.Object({ bank_code: text, account_number: text, account_name: maybe }),
    ]),
  ),
  ...{ bank_account: maybe, state: oneOf(MOVEMENT_STATES), reason: maybe, attempts: Type.Integer() },
  ...{ created_at: time, updated_at: time },
};
const movementRecord = nameSchema('MovementRecord', Type.Object(movementFields));
const triedFields = {
  ...{ no: Type.Integer(), rail: maybe, reference: text, evidence: nullable(record) },
  state: oneOf(['prepared', 'accepted', 'unknown', 'rejected', 'landed', 'failed', 'dead']),
  ...{ at: time, updated_at: time },
};
const unknownPayout = nameSchema(
  'UnknownPayout',
  Type.Object({ ...movementFields, tried: Type.Array(Type.Object(triedFields)) }),
);
const attemptRecord = nameSchema(
  'AttemptRecord',
  Type.Object({
    ...{ movement_id: text, mode, network: maybe, ...triedFields, source: maybe, sequence: maybe },
    ...{ bound: maybe, index: Type.Integer(), orders: Type.Array(text) },
    replacements: Type.Array(
      Type.Object({
        ...{ mode, network: text, reference: text, no: Type.Integer(), hash: text, bound: maybe, at: time },
      }),
    ),
  }),
);

const noticeRecord = nameSchema(
  'NoticeRecord',
  Type.Object({
    ...{ id: text, mode, source: text, source_id: text, kind: oneOf(NOTICE_KINDS), about: text },
    ...{ amount: naira, received_at: time, raw, state: oneOf(['open', 'done', 'review']) },
  }),
);
const openCaseFields = {
  ...{ id: text, kind: oneOf(CASE_KINDS), mode, business_id: maybe, transaction_id: maybe, credit_id: maybe },
  ...{ movement_id: Type.Optional(text), about: Type.Optional(text), amount: naira, opened_at: time },
};
const openCaseRecord = nameSchema('OpenCaseRecord', Type.Object(openCaseFields));
const caseRecord = nameSchema(
  'StoredCaseRecord',
  Type.Object({
    ...openCaseFields,
    ...{ outcome: nullable(oneOf(CASE_OUTCOMES)), closed_at: nullable(time) },
  }),
);
const quarantinedRecord = nameSchema(
  'QuarantinedRecord',
  Type.Object({ id: text, mode, source: text, reason: text, at: time }),
);
const timelineRecord = nameSchema(
  'TimelineRecord',
  Type.Object({
    ...{ from: nullable(oneOf(STATES)), to: oneOf(STATES), actor: text, reason: text },
    ...{ evidence: nullable(record), at: time },
  }),
);
const proposalRecord = nameSchema(
  'ProposalRecord',
  Type.Object({
    ...{ id: text, mode, amount: naira, proposed_by: text, proposed_at: time },
    request: { ...record, description: 'What is requested; the fields depend on the action.' },
    decision: nullable(
      Type.Object({
        ...{ decided_by: text, approved: Type.Boolean(), withdrawn: Type.Boolean(), reason: text, at: time },
      }),
    ),
  }),
);

export const queueAnswer = {
  transactions: Type.Array(transactionRecord),
  credits: Type.Array(creditInReview),
  deposits: Type.Array(depositRecord),
  refunds: Type.Array(movementRecord),
  notices: Type.Array(noticeRecord),
  cases: Type.Array(openCaseRecord),
  quarantined: Type.Array(quarantinedRecord),
  unknown_payouts: Type.Array(unknownPayout),
};

export const recordAnswer = {
  record: Type.Union([
    transactionRecord,
    creditRecord,
    depositRecord,
    movementRecord,
    noticeRecord,
    caseRecord,
  ]),
  credits: Type.Array(creditRecord),
  deposits: Type.Array(depositRecord),
  movements: Type.Array(movementRecord),
  timeline: Type.Array(timelineRecord),
  attempt: nullable(attemptRecord),
  proposals: Type.Array(proposalRecord),
};

export function renderQueue(
  queue: ReviewQueue,
  unknownPayouts: readonly UnknownPayout[],
): JsonOf<TObject<typeof queueAnswer>> {
  return {
    transactions: queue.transactions.map(renderRecord),
    credits: queue.credits.map(renderRecord),
    deposits: queue.deposits.map(renderRecord),
    refunds: queue.refunds.map(renderRecord),
    notices: queue.notices.map(renderRecord),
    cases: queue.cases.map(renderRecord),
    quarantined: queue.quarantined.map(renderRecord),
    unknown_payouts: unknownPayouts.map(renderRecord),
  };
}

export function renderRecordWithRest(found: RecordWithRelated): JsonOf<TObject<typeof recordAnswer>> {
  return {
    record: renderRecord(found.record),
    attempt: found.attempt && renderRecord(found.attempt),
    credits: found.credits.map(renderRecord),
    deposits: found.deposits.map(renderRecord),
    movements: found.movements.map(renderRecord),
    timeline: found.timeline.map(renderRecord),
    proposals: found.proposals.map(renderRecord),
  };
}
