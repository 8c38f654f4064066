// What a source reported about money that came in, where another report gives its value or it is in doubt. It is linked to the credit
// it is about; one that fits none, or contradicts one, is a case for people.
import type { Mode } from '../values/mode.ts';

export const REPORT_STATES = ['waiting', 'linked', 'case', 'counted', 'explained'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export interface CreditReport {
  readonly id: string;
  readonly mode: Mode;
  /** Which source reported it, and its id there: unique together. */
  readonly source: string;
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
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
  readonly raw: unknown;
  /** Of a payment made in the sandbox; null: reported by a bank. */
  readonly businessId: string | null;

  readonly state: ReportState;
  /** The credit it is about, or that two people made of it. */
  readonly creditId: string | null;
  /** The session id names the credit. */
  readonly bySession: boolean;
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}

/** Which source gives value for a bank account. */
export interface CreditSource {
  readonly source: string;
  /** Credits of other sources exist in the account. */
  readonly others: boolean;
  /** A new credit names the version it was decided on. */
  readonly version: number;
}

/** The source of imported statement files. It gives value only where two people said so. */
export const STATEMENTS = 'statements';
