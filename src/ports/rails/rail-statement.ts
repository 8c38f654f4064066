// What a rail that reports does: hand out the statement of our accounts, page by page. Positions are stable: the same
// position gives the same lines again, so that a reader that restarts misses nothing.
import type { NoticeKind } from '../../domain/records/notice.ts';

/** Money that came into one of our accounts. */
export interface CreditLine {
  readonly kind: 'credit';
  /** Unique on this rail; a line that is reported twice has the same one both times. */
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  /** Midnight in Lagos: the source gives only the day. */
  readonly valueAtMs: number;
  readonly raw: unknown;
  /** The balance of the account after it, where the source gives it. */
  readonly balanceMinor?: bigint | null;
  /** The tester's business and id of a credit at the simulated bank of test mode. */
  readonly tester?: { readonly businessId: string; readonly creditId: string };
}

/** The bank took a credit back, or a payout of ours returned. */
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
  /** Reads the movements on our accounts since a position; null: from the beginning. Throws when it cannot be read now. */
  read(position: string | null): Promise<StatementPage>;
}
