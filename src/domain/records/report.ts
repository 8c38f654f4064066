// What a source reported about money that came in, where another report gives its value or it is in doubt. It is linked to the credit
// it is about; one that fits none, or contradicts one, is a case for people.
import type { Reported } from './credit.ts';

export const REPORT_STATES = ['waiting', 'linked', 'case', 'counted', 'explained'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export interface CreditReport extends Reported {
  readonly state: ReportState;
  /** The credit it is about, or that two people made of it. */
  readonly creditId: string | null;
  /** Its source has reported this session id before: another report has its place at the credit. */
  readonly isRepeat: boolean;
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
