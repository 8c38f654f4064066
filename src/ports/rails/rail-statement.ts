// What a rail with reports does: it returns the statement of our accounts, page by page. Positions are stable: the same position
// returns the same lines again, so a restarted reader misses nothing.
import type { NoticeKind } from '../../domain/records/notice.ts';

/** Money that one of our accounts received. */
export interface CreditLine {
  readonly kind: 'credit';
  /** Unique on this rail; a line that is reported twice has the same id both times. */
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  /** Midnight in Lagos means that the source reports only the day. */
  readonly valueAtMs: number;
  readonly raw: unknown;
  /** The balance of the account after the credit, if the source reports it. */
  readonly balanceMinor?: bigint | null;
  /** For a credit at the simulated bank of test mode: the business of the tester, and the id of the credit. */
  readonly tester?: { readonly businessId: string; readonly creditId: string };
}

/** The bank reversed a credit, or returned one of our payouts. */
export interface NoticeLine {
  readonly kind: NoticeKind;
  readonly sourceId: string;
  /** The credit's sourceId on this rail, or the reference of a payout that was made on this rail. */
  readonly about: string;
  readonly amountMinor: bigint;
  readonly raw: unknown;
}

export interface StatementPage {
  readonly lines: readonly (CreditLine | NoticeLine)[];
  /** The position for the next read; it is stored with the lines in one commit. */
  readonly position: string;
}

export interface RailStatement {
  /**
   * Reads the lines of our accounts since a position; with null, from the beginning. Throws if the statement cannot be read now.
   */
  read(position: string | null): Promise<StatementPage>;
}
