// What a statement file says, whatever its format: rows, balances, the account and the period, and what could not be read. Readers
// give these items in the order of the file.

/** Where in a file, from 1. The column is that of a cell, or of the character where there are no cells. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export interface RowProblem extends FilePosition {
  /** The reason in one plain sentence, without account numbers. */
  readonly reason: string;
}

export interface StatementPayer {
  readonly name: string | null;
  readonly account: string | null;
  readonly bankName: string | null;
}

/** A row as its file has it. */
export interface ParsedRow extends FilePosition {
  /** YYYY-MM-DD, the day on which the bank booked it, in Lagos. */
  readonly day: string;
  readonly valueDay: string | null;
  /** The time, where the file gives one. */
  readonly atMs: number | null;
  /** Positive: it came in. */
  readonly amountMinor: bigint;
  /**
   * What the row lacks to say by itself whether the money came in or went out, as one plain sentence; null: nothing. With a sentence
   * the sign is only the one that is written, and counts for nothing until domain/statements/direction-finder.ts has proved it.
   */
  readonly lacks: string | null;
  /** The amount is written with a minus, or in brackets. */
  readonly isMinus: boolean;
  /** A line end stands where the file broke the text. */
  readonly narration: string;
  readonly balanceMinor: bigint | null;
  readonly reference: string | null;
  readonly payer: StatementPayer | null;
  /** The mark that the format gives, apart from the text; null: none. */
  readonly mark: 'reversal' | 'charge' | null;
  /** Not booked yet: it is never stored. */
  readonly isPending: boolean;
}

export type RowKind = 'payment' | 'reversal' | 'charge';

/** Why the direction of a row is certain: a column or a word says it, the running balance proves it, or the file shows that its amounts are signed. */
export type DirectionProof = 'side' | 'balance' | 'signs';

/** A row whose direction is certain. */
export interface DirectedRow extends ParsedRow {
  readonly directionBy: DirectionProof;
}

/** A row with what its text says. */
export interface StatementRow extends Omit<DirectedRow, 'payer' | 'mark' | 'lacks' | 'isMinus'> {
  readonly sessionId: string | null;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly payerBankName: string | null;
  readonly kind: RowKind;
}

export type StatementItem =
  | { readonly kind: 'row'; readonly row: ParsedRow }
  /** `heldDay`: the row says two things about its direction, so its day is held. */
  | { readonly kind: 'problem'; readonly problem: RowProblem; readonly heldDay?: string }
  /** The account that the file is about, as it writes it. */
  | { readonly kind: 'account'; readonly text: string; readonly line: number }
  /** The days that the file says it covers, both included. */
  | { readonly kind: 'period'; readonly from: string; readonly to: string }
  /**
   * `isWhole`: nothing of the day is before the opening balance, or after the closing balance. A format whose rows have no balances
   * is checked between an opening balance and the closing balance after it.
   */
  | {
      readonly kind: 'balance';
      readonly what: 'opening' | 'closing';
      readonly day: string | null;
      readonly amountMinor: bigint;
      readonly isWhole: boolean;
      readonly line: number;
    };

/** A statement of the bank lists everything that happened; a notice of some entries does not. */
export type ListingScope = 'everything' | 'some';
