// What a rail with reports does: it returns the statement of our accounts, page by page. Positions are stable: the same position
// returns the same lines again, so that a restarted reader misses nothing.
import type { NoticeKind } from '../../domain/records/notice.ts';

/** Money received in one of our accounts. */
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
  /** Midnight in Lagos means that the source gives only the day. */
  readonly valueAtMs: number;
  readonly raw: unknown;
  /** The balance of the account after the credit, if the source gives it. */
  readonly balanceMinor?: bigint | null;
  /** The tester's business and id of a credit at the simulated bank of test mode. */
  readonly tester?: { readonly businessId: string; readonly creditId: string };
}

/** The bank reversed a credit, or returned a payout of ours. */
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
  /** The position for the next reading, stored with the lines in one commit. */
  readonly position: string;
}

export interface RailStatement {
  /** Reads the lines of our accounts since a position; null: from the beginning. Throws if it cannot be read now. */
  read(position: string | null): Promise<StatementPage>;
}
