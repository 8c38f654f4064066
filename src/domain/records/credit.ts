// A bank credit: the bank's report, which never changes, and the result of its processing. A credit is evidence of a payment; a
// claim is not.
import { accountDetail } from '../ledger/chart-of-accounts.ts';
import type { Mode } from '../values/mode.ts';
import { isSessionId } from '../values/session-id.ts';
import type { CreditException } from './exceptions.ts';

export const CREDIT_STATES = [
  'unmatched',
  'review',
  'matched',
  'refunded',
  'written_off',
  'reversed',
  'split',
] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

/** The report of a source about money that arrived. */
export interface ReportedTransfer {
  readonly id: string;
  readonly mode: Mode;
  /** The source and its id for the credit are unique together. */
  readonly source: string;
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  /** The full number, a masked number (`******0011`), or null. */
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly payerBankCode: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  /** The balance of the account after the credit; null: not given. */
  readonly balanceMinor: bigint | null;
  readonly valueAtMs: number;
  readonly receivedAtMs: number;
  /** The credit as it was received, for people to read. */
  readonly raw: unknown;
  /**
   * The business of the tester who made the payment in the sandbox; the credit can pay only for this business. Null: a bank
   * reported the credit.
   */
  readonly businessId: string | null;
}

export interface BankCredit extends ReportedTransfer {
  /** The credit that this one was split from. */
  readonly parentId: string | null;
  readonly state: CreditState;
  readonly exception: CreditException | null;
  /** The transaction that the credit pays or, during a review, the transaction that it is probably meant for. */
  readonly transactionId: string | null;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

/** A credit as it is first stored, with the version of the source rule that was used. */
export interface NewCredit extends BankCredit {
  readonly sourceVersion?: number;
}

/**
 * A session id identifies one transfer across all sources; null: the credit has no session id that identifies a transfer. In test
 * mode a tester chooses the session id, so it identifies only a transfer of the tester's business.
 */
export function sessionKeyOf(
  reported: Pick<ReportedTransfer, 'mode' | 'businessId' | 'sessionId'>,
): string | null {
  const { mode, businessId, sessionId } = reported;
  if (sessionId === null || (mode === 'live' && !isSessionId(sessionId))) return null;
  return `${businessId ?? ''}/${sessionId}`;
}

/** Whether the credit is undecided. */
export function isOpenCredit({ state }: BankCredit): boolean {
  return state === 'unmatched' || state === 'review';
}

/** The source id of a part of a split credit: the id of the whole credit, followed by a number from 1. */
export function makePartSourceId({ sourceId }: BankCredit, no: number): string {
  return `${sourceId}#${no}`;
}

/** Whether the account number is complete: the bank gave every digit. */
export function isFullAccount(account: string | null): account is string {
  return account !== null && /^[0-9]{10}$/.test(account);
}

/** The ledger name of the bank account that received the credit. */
export function nameCreditedAccount({ accountBankCode, accountNumber }: BankCredit): string {
  return accountDetail(accountBankCode, accountNumber);
}

/**
 * A source's report about received money, if the credits of the account come from another source or if the report is in doubt.
 * The report is linked to its credit. A report that fits no credit, or contradicts one, becomes a case for people.
 */
export const REPORT_STATES = ['waiting', 'linked', 'case', 'counted', 'explained'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export interface CreditReport extends ReportedTransfer {
  readonly state: ReportState;
  /** The credit of this report, or the credit that two people made from it. */
  readonly creditId: string | null;
  /** The source has already reported this session id, and the credit is linked to that earlier report. */
  readonly isRepeat: boolean;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

/** The source whose reports become credits of a bank account. */
export interface CreditSource {
  readonly source: string;
  /** Whether the account has credits from other sources. */
  readonly others: boolean;
  /** A new credit stores the version of the rule that was used to decide about it. */
  readonly version: number;
}

/** The source of imported statement files. Its reports become credits only if two people decided so. */
export const STATEMENTS_SOURCE = 'statements';
