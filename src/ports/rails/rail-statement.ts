// What a rail with reports does: it returns the statement of our accounts page by page. The same position always returns the
// same lines, so a restarted reader misses nothing.
import type { NoticeKind } from '../../domain/records/notice.ts';

export interface CreditLine {
  readonly kind: 'credit';
  /** The id of the line, which is unique on this rail. A line that is reported twice has the same id both times. */
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  /** Midnight in Lagos means that the bank reports only the day. */
  readonly valueAtMs: number;
  readonly raw: unknown;
  /** The balance of the account after the credit, if the bank reports it. */
  readonly balanceMinor?: bigint | null;
  /** Set for a credit at the simulated bank of test mode: the business of the tester, and the id of the credit. */
  readonly tester?: { readonly businessId: string; readonly creditId: string };
}

/** The bank reversed a credit, or returned one of our payouts. */
export interface NoticeLine {
  readonly kind: NoticeKind;
  readonly sourceId: string;
  /** The sourceId of the credit on this rail, or the reference of a payout that was made on this rail. */
  readonly about: string;
  readonly amountMinor: bigint;
  readonly raw: unknown;
}

export interface StatementPage {
  readonly lines: readonly (CreditLine | NoticeLine)[];
  /** The position for the next read. It is stored in one commit with the lines. */
  readonly position: string;
}

export interface RailStatement {
  /**
   * Reads the lines of our accounts since a position. If the position is null, it reads from the beginning. It throws if the
   * statement cannot be read now.
   */
  read(position: string | null): Promise<StatementPage>;
}
