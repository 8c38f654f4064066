// A bank credit: the bank's report, which never changes, and the result of its processing. A credit is evidence of a payment,
// and a claim is not.
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

export interface ReportedTransfer {
  readonly id: string;
  readonly mode: Mode;
  /** `source` and `sourceId` together identify one credit. */
  readonly source: string;
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  /** The account number of the payer, complete or masked (`******0011`). Null: the number is unknown. */
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly payerBankCode: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  /** The balance of the account after the credit. Null: the source does not give it. */
  readonly balanceMinor: bigint | null;
  readonly valueAtMs: number;
  readonly receivedAtMs: number;
  readonly raw: unknown;
  /**
   * The business of the tester who made the payment in the sandbox. The credit can pay only for this business. Null: a bank
   * reported the credit.
   */
  readonly businessId: string | null;
}

export interface BankCredit extends ReportedTransfer {
  /** The id of the credit from which this credit was split. */
  readonly parentId: string | null;
  readonly state: CreditState;
  readonly exception: CreditException | null;
  /** The transaction that the credit pays or, during a review, the transaction that it is probably meant for. */
  readonly transactionId: string | null;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

/** A credit when it is first stored, with the version of the credit-source rule that was used. */
export interface NewCredit extends BankCredit {
  readonly sourceVersion?: number;
}

/**
 * The key of a session id, which identifies one transfer across all sources. Null: the credit has no session id that identifies
 * a transfer. In test mode a tester chooses the session id, so the key also names the tester's business.
 */
export function sessionKeyOf(
  reported: Pick<ReportedTransfer, 'mode' | 'businessId' | 'sessionId'>,
): string | null {
  const { mode, businessId, sessionId } = reported;
  if (sessionId === null || (mode === 'live' && !isSessionId(sessionId))) return null;
  return `${businessId ?? ''}/${sessionId}`;
}

export function isOpenCredit({ state }: BankCredit): boolean {
  return state === 'unmatched' || state === 'review';
}

export function makePartSourceId({ sourceId }: BankCredit, no: number): string {
  return `${sourceId}#${no}`;
}

/** Whether the bank gave every digit of the account number. */
export function isFullAccount(account: string | null): account is string {
  return account !== null && /^[0-9]{10}$/.test(account);
}

export function nameCreditedAccount({ accountBankCode, accountNumber }: BankCredit): string {
  return accountDetail(accountBankCode, accountNumber);
}

/**
 * A source's report about received money, if the credits of the account come from another source or if the report is in doubt.
 * The report is linked to its credit. A report that fits no credit, or that contradicts one, becomes a case for people.
 */
export const REPORT_STATES = ['waiting', 'linked', 'case', 'counted', 'explained'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export interface CreditReport extends ReportedTransfer {
  readonly state: ReportState;
  /** The id of the credit of this report, or of the credit that two people made from the report. */
  readonly creditId: string | null;
  /** The source has already reported this session id, and the credit is linked to that earlier report. */
  readonly isRepeat: boolean;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

export interface CreditSource {
  readonly source: string;
  /** Whether the account also has credits from other sources. */
  readonly others: boolean;
  /** The version of this rule. A new credit stores the version that was used to decide about it. */
  readonly version: number;
}

/** The source of imported statement files. Its reports become credits only if two people have decided so. */
export const STATEMENTS_SOURCE = 'statements';
