// Renders a record that waits for a person, and its related records, for the operator's pages. Every kind of record has its own
// fields. Amounts are decimal texts, and the reason why the record waits is a text.
import { Type } from 'typebox';
import type { TokenDecimals } from '../app/ledger/judge-ledger.ts';
import { QUESTION_CASE_KINDS } from '../domain/records/change.ts';
import { type BankCredit, CREDIT_STATES } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import type { Movement } from '../domain/records/movement.ts';
import type { BankNotice } from '../domain/records/notice.ts';
import { STATES, TRANSACTION_TYPES } from '../domain/records/states.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import { formatRefundTarget } from '../domain/review/describe-review-request.ts';
import { CASE_TEXTS, describeWaitReason } from '../domain/review/describe-wait-reason.ts';
import type { CreditInReview, StoredCase } from '../ports/review-store.ts';
import { type JsonOf, mode, nameSchema, nullable, oneOf, time } from './parts/schemas.ts';
import { isoTime, nairaText, renderAmount } from './parts/values.ts';

export const NOTICE_KINDS = ['credit_reversed', 'payout_returned', 'payout_paid_late'] as const;
export const CASE_KINDS = [...NOTICE_KINDS, ...QUESTION_CASE_KINDS] as const;
export const CASE_STATES = ['open', 'closed'] as const;
export const CASE_OUTCOMES = [
  'recovered',
  'accepted',
  'paid_again',
  'sent_back',
  'written_off',
  'counted',
  'explained',
  'resolved',
] as const;

const text = Type.String();
const maybe = nullable(text);
const why = { exception: maybe, why: nullable(Type.String({ description: 'Why it waits, in words.' })) };
const naira = Type.String({ description: 'In naira, for example "15000.00".' });
const inAsset = {
  amount: nullable(Type.String({ description: 'Null: the decimals of the token are not known.' })),
  asset: text,
};

export const DEPOSIT_STATES = [
  ...(['seen', 'applied', 'suspense', 'refunded', 'written_off', 'own_funds', 'gone'] as const),
] satisfies readonly Deposit['state'][];

export const MOVEMENT_STATES = ['pending', 'sending', 'unknown', 'done', 'failed', 'returned'] as const;

const creditFields = {
  ...{ kind: Type.Literal('credit'), id: text, mode, state: oneOf(CREDIT_STATES), ...why, amount: naira },
  ...{ payer_name: maybe, payer_account: maybe, payer_bank: maybe, narration: maybe, session_id: maybe },
  ...{ source: text, source_id: text, account_number: text, account_bank: maybe },
  ...{ value_at: time, since: time, transaction_id: maybe, parent_id: maybe },
};
export const creditSubject = nameSchema('CreditSubject', Type.Object(creditFields));
export const queuedCredit = nameSchema(
  'QueuedCredit',
  Type.Object({ ...creditFields, candidates: Type.Integer(), best_score: nullable(Type.Number()) }),
);
export const transactionSubject = nameSchema(
  'TransactionSubject',
  Type.Object({
    ...{ kind: Type.Literal('transaction'), id: text, mode, type: oneOf(TRANSACTION_TYPES) },
    ...{ state: oneOf(STATES), ...why, amount: naira, received: naira, refunded: naira, fee: naira },
    ...{ business_id: text, business_name: maybe, reference: text, account_name: maybe },
    ...{ account_number: text, bank: text, vendor_name: maybe, wallet_network: maybe },
    ...{ wallet_address: maybe, tx_hash: maybe, created_at: time, expires_at: time, since: time },
  }),
);
export const depositSubject = nameSchema(
  'DepositSubject',
  Type.Object({
    ...{ kind: Type.Literal('deposit'), id: text, mode },
    state: oneOf(DEPOSIT_STATES),
    ...{ ...why, ...inAsset, network: text, tx_hash: text, address: text, memo: maybe, sender: maybe },
    ...{ transaction_id: maybe, since: time },
  }),
);
export const movementSubject = nameSchema(
  'MovementSubject',
  Type.Object({
    ...{ kind: Type.Literal('movement'), id: text, mode },
    movement_kind: oneOf(['send', 'payout', 'refund', 'sweep', 'withdrawal']),
    state: oneOf(MOVEMENT_STATES),
    ...{ ...why, ...inAsset, naira, network: maybe, destination: maybe, transaction_id: maybe },
    ...{ credit_id: maybe, deposit_id: maybe, attempts: Type.Integer(), since: time },
  }),
);
export const noticeSubject = nameSchema(
  'NoticeSubject',
  Type.Object({
    ...{ kind: Type.Literal('notice'), id: text, mode },
    notice_kind: oneOf(NOTICE_KINDS),
    state: oneOf(['open', 'done', 'review']),
    ...{ ...why, amount: naira, about: text, source: text, source_id: text, since: time },
  }),
);
const caseSubject = nameSchema(
  'CaseSubject',
  Type.Object({
    ...{ kind: Type.Literal('case'), id: text, mode, case_kind: oneOf(CASE_KINDS) },
    ...{ state: oneOf(CASE_STATES), ...why, amount: naira, business_id: maybe, business_name: maybe },
    ...{ transaction_id: maybe, credit_id: maybe, movement_id: maybe },
    ...{ outcome: nullable(oneOf(CASE_OUTCOMES)), since: time },
  }),
);
export const subject = nameSchema(
  'Subject',
  Type.Union([
    creditSubject,
    transactionSubject,
    depositSubject,
    movementSubject,
    noticeSubject,
    caseSubject,
  ]),
);

export interface SubjectContext {
  readonly decimals: TokenDecimals;
  readonly businessNames: ReadonlyMap<string, string>;
}

/**
 * Omits the candidates that the last matching decision stored, because only the list of credits shows them. The page of a
 * credit shows the current state of the buys instead.
 */
export function renderCreditInReview({ candidates, ...credit }: CreditInReview): JsonOf<typeof queuedCredit> {
  return {
    ...renderCredit(credit),
    ...{ candidates: candidates.length, best_score: candidates[0]?.score ?? null },
  };
}

export function renderCredit(credit: BankCredit): JsonOf<typeof creditSubject> {
  return {
    kind: 'credit',
    id: credit.id,
    mode: credit.mode,
    state: credit.state,
    exception: credit.exception,
    why: describeWaitReason(credit.exception),
    amount: nairaText(credit.amountMinor),
    payer_name: credit.payerName,
    payer_account: credit.payerAccount,
    payer_bank: credit.payerBankName ?? credit.payerBankCode,
    narration: credit.narration,
    session_id: credit.sessionId,
    source: credit.source,
    source_id: credit.sourceId,
    account_number: credit.accountNumber,
    account_bank: credit.accountBankCode,
    value_at: isoTime(credit.valueAtMs),
    since: isoTime(credit.receivedAtMs),
    transaction_id: credit.transactionId,
    parent_id: credit.parentId,
  };
}

export function renderTransactionSubject(
  transaction: Transaction,
  { businessNames }: SubjectContext,
): JsonOf<typeof transactionSubject> {
  const { wallet, exception, stateReason } = transaction;
  return {
    kind: 'transaction',
    id: transaction.id,
    mode: transaction.mode,
    type: transaction.type,
    state: transaction.state,
    exception,
    why: describeWaitReason(exception) ?? describeWaitReason(stateReason),
    amount: nairaText(transaction.amountMinor),
    received: nairaText(transaction.receivedMinor),
    refunded: nairaText(transaction.refundedMinor),
    fee: nairaText(transaction.feeMinor),
    business_id: transaction.businessId,
    business_name: businessNames.get(transaction.businessId) ?? null,
    reference: transaction.reference,
    account_name: transaction.accountName,
    account_number: transaction.accountNumber,
    bank: transaction.bankName,
    vendor_name: transaction.vendor?.name ?? null,
    wallet_network: wallet?.network ?? null,
    wallet_address: wallet?.address ?? null,
    tx_hash: transaction.txHash,
    created_at: isoTime(transaction.createdAtMs),
    expires_at: isoTime(transaction.expiresAtMs),
    since: isoTime(transaction.updatedAtMs),
  };
}

export function renderDeposit(deposit: Deposit, { decimals }: SubjectContext): JsonOf<typeof depositSubject> {
  return {
    kind: 'deposit',
    id: deposit.id,
    mode: deposit.mode,
    state: deposit.state,
    exception: deposit.exception,
    why: describeWaitReason(deposit.exception),
    ...renderAmount(deposit.amountMinor, deposit, decimals),
    network: deposit.network,
    tx_hash: deposit.txHash,
    address: deposit.address,
    memo: deposit.memo === '' ? null : deposit.memo,
    sender: deposit.sender,
    transaction_id: deposit.transactionId,
    since: isoTime(deposit.seenAtMs),
  };
}

export function renderMovement(
  movement: Movement,
  { decimals }: SubjectContext,
): JsonOf<typeof movementSubject> {
  const { destination } = movement;
  return {
    kind: 'movement',
    id: movement.id,
    mode: movement.mode,
    movement_kind: movement.kind,
    state: movement.state,
    exception: movement.reason,
    why: destination === null ? 'It has no destination.' : describeWaitReason(movement.reason),
    ...renderAmount(movement.amountMinor, movement, decimals),
    naira: nairaText(movement.nairaMinor),
    network: movement.network,
    destination: destination === null ? null : formatRefundTarget(destination),
    transaction_id: movement.transactionId,
    credit_id: movement.creditId,
    deposit_id: movement.depositId,
    attempts: movement.attempts,
    since: isoTime(movement.createdAtMs),
  };
}

const NOTICE_TEXTS: Readonly<Record<BankNotice['kind'], string>> = {
  credit_reversed: 'The bank reports that it reversed a payment.',
  payout_returned: 'The bank says that a payout or a refund came back.',
  payout_paid_late: 'The bank says that it made a payout or a refund after all.',
};

export function renderNotice(notice: BankNotice): JsonOf<typeof noticeSubject> {
  return {
    kind: 'notice',
    id: notice.id,
    mode: notice.mode,
    notice_kind: notice.kind,
    state: notice.state,
    exception: null,
    why: NOTICE_TEXTS[notice.kind],
    amount: nairaText(notice.amountMinor),
    about: notice.about,
    source: notice.source,
    source_id: notice.sourceId,
    since: isoTime(notice.receivedAtMs),
  };
}

function renderCaseSubject(found: StoredCase, { businessNames }: SubjectContext): JsonOf<typeof caseSubject> {
  const { businessId, closedAtMs } = found;
  return {
    kind: 'case',
    id: found.id,
    mode: found.mode,
    case_kind: found.kind,
    state: closedAtMs === null ? 'open' : 'closed',
    exception: null,
    why: CASE_TEXTS[found.kind],
    amount: nairaText(found.amountMinor),
    business_id: businessId,
    business_name: businessId === null ? null : (businessNames.get(businessId) ?? null),
    transaction_id: found.transactionId,
    credit_id: found.creditId ?? null,
    movement_id: found.movementId ?? null,
    outcome: found.outcome,
    since: isoTime(found.openedAtMs),
  };
}

/** Renders a record of any kind. The record must have an `id`. */
export function renderSubject(record: object, context: SubjectContext): JsonOf<typeof subject> {
  const { id } = record as { readonly id: string };
  switch (id.slice(0, 4)) {
    case 'txn_':
      return renderTransactionSubject(record as Transaction, context);
    case 'crd_':
      return renderCredit(record as BankCredit);
    case 'dep_':
      return renderDeposit(record as Deposit, context);
    case 'mov_':
      return renderMovement(record as Movement, context);
    case 'cas_':
      return renderCaseSubject(record as StoredCase, context);
    default:
      return renderNotice(record as BankNotice);
  }
}
