// A bank credit: what the bank said, which never changes, and what became of it. A credit is evidence; a claim is not.
import { accountDetail } from '../ledger/chart-of-accounts.ts';
import type { Mode } from '../values/mode.ts';
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
  /** The source that reported it, and its id there: unique together. */
  readonly source: string;
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  /** Full, masked (`******0011`), or null. */
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly payerBankCode: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  /** The balance of the account after it; null: not given. */
  readonly balanceMinor: bigint | null;
  readonly valueAtMs: number;
  readonly receivedAtMs: number;
  /** The credit as received, for people. */
  readonly raw: unknown;
  /** The business of the tester who made the payment in the sandbox, the only one it can pay for. Null: a bank reported it. */
  readonly businessId: string | null;
}

export interface BankCredit extends ReportedTransfer {
  /** The credit this one is a part of, after a split. */
  readonly parentId: string | null;
  readonly state: CreditState;
  readonly exception: CreditException | null;
  /** The transaction it pays, or, while under review, the one it seems to be meant for. */
  readonly transactionId: string | null;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

/** A credit as first stored, with the version of the source rule that decided it. */
export interface NewCredit extends BankCredit {
  readonly sourceVersion?: number;
}

const SESSION = /^(?!([0-9])\1{29})[0-9]{30}$/;

/**
 * A session id names one transfer, everywhere; null: it names none. In test mode a tester chooses it, and it names a transfer of the
 * tester's business.
 */
export function sessionKeyOf(
  reported: Pick<ReportedTransfer, 'mode' | 'businessId' | 'sessionId'>,
): string | null {
  const { mode, businessId, sessionId } = reported;
  if (sessionId === null || (mode === 'live' && !SESSION.test(sessionId))) return null;
  return `${businessId ?? ''}/${sessionId}`;
}

/** It is not decided yet what it pays for. */
export function isOpenCredit({ state }: BankCredit): boolean {
  return state === 'unmatched' || state === 'review';
}

/** The name of a part of a split credit, next to the bank's name of the whole; the first is 1. */
export function makePartSourceId({ sourceId }: BankCredit, no: number): string {
  return `${sourceId}#${no}`;
}

/** A full account number: the bank gave every digit. */
export function isFullAccount(account: string | null): account is string {
  return account !== null && /^[0-9]{10}$/.test(account);
}

/** The bank account it came to, as the books name it. */
export function nameCreditedAccount({ accountBankCode, accountNumber }: BankCredit): string {
  return accountDetail(accountBankCode, accountNumber);
}

/**
 * What a source reported about money that came in, where another report gives its value or it is in doubt.
 * It is linked to the credit it is about; one that fits none, or contradicts one, is a case for people.
 */
export const REPORT_STATES = ['waiting', 'linked', 'case', 'counted', 'explained'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export interface CreditReport extends ReportedTransfer {
  readonly state: ReportState;
  /** The credit it is about, or that two people made of it. */
  readonly creditId: string | null;
  /** Its source has reported this session id before: another report has its place at the credit. */
  readonly isRepeat: boolean;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

/** The credit source of a bank account. */
export interface CreditSource {
  readonly source: string;
  /** Credits of other sources exist in the account. */
  readonly others: boolean;
  /** A new credit names the version it was decided on. */
  readonly version: number;
}

/** The source of imported statement files. It gives value only where two people said so. */
export const STATEMENTS_SOURCE = 'statements';
