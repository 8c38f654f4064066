// The content of a statement file in any format: rows, balances, the account and the period, and unreadable parts. Readers return
// these items in the order of the file.

/** The position in a file, from 1. The column is the number of the cell or, without cells, the number of the character. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export interface RowProblem extends FilePosition {
  /** The reason in one plain sentence, without account numbers. */
  readonly reason: string;
}

/**
 * Where a fact about the payer was read: in a column of a table, in a separate field of the format, or in the narration, of which
 * the payer writes a part.
 */
export type FactOrigin = 'column' | 'field' | 'narration';

export interface StatementPayer {
  readonly name: string | null;
  readonly account: string | null;
  readonly bankName: string | null;
}

/** A payer that the bank names outside the narration. */
export interface NamedPayer extends StatementPayer {
  readonly from: Exclude<FactOrigin, 'narration'>;
}

/** A row as written in its file. */
export interface ParsedRow extends FilePosition {
  /** The day on which the bank booked the row, YYYY-MM-DD in Lagos. */
  readonly day: string;
  readonly valueDay: string | null;
  /** The time, if the file gives one. */
  readonly atMs: number | null;
  /** Positive: incoming money. */
  readonly amountMinor: bigint;
  /**
   * One sentence about what is missing in the row to show whether money came in or went out; null: nothing is missing. If set,
   * the sign is only the written one, and is not used until domain/statements/direction-finder.ts has proved it.
   */
  readonly lacks: string | null;
  /** The amount is written with a minus, or in brackets. */
  readonly isMinus: boolean;
  /** It contains a line break at each place where the file breaks the text. */
  readonly narration: string;
  readonly balanceMinor: bigint | null;
  readonly reference: string | null;
  readonly payer: NamedPayer | null;
  /** The session id in a column or field of its own; undefined: the file has no such column or field. */
  readonly session?: { readonly text: string | null; readonly from: Exclude<FactOrigin, 'narration'> };
  /** The mark that the format gives separately from the text; null: none. */
  readonly mark: 'reversal' | 'charge' | null;
  /** The row is not booked yet, so it is never stored. */
  readonly isPending: boolean;
}

export type RowKind = 'payment' | 'reversal' | 'charge';

/**
 * Why the direction of a row is certain: a column or a word states it, the running balance proves it, or it is proven that the
 * file signs its amounts.
 */
export type DirectionProof = 'side' | 'balance' | 'signs';

/** A row whose direction is certain. */
export interface DirectedRow extends ParsedRow {
  readonly directionBy: DirectionProof;
}

/** The origin of each fact about the payer; null: the fact is not known. */
export interface FactOrigins {
  readonly name: FactOrigin | null;
  /** A number from the narration is never the payer's account. */
  readonly account: Exclude<FactOrigin, 'narration'> | null;
  readonly bankName: FactOrigin | null;
  readonly session: FactOrigin | null;
}

/** A row with the results from its text. */
export interface StatementRow extends Omit<DirectedRow, 'payer' | 'mark' | 'lacks' | 'isMinus' | 'session'> {
  readonly sessionId: string | null;
  /** The session id in the narration or the reference. It is a part of the row's identity. */
  readonly writtenSession: string | null;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly payerBankName: string | null;
  /** The account number that the narration shows beside the payer's name: never where money is sent. */
  readonly narratedAccount: string | null;
  readonly origins: FactOrigins;
  readonly kind: RowKind;
}

export type StatementItem =
  | { readonly kind: 'row'; readonly row: ParsedRow }
  /** `heldDay`: the row contradicts itself about its direction, so this day is held. */
  | { readonly kind: 'problem'; readonly problem: RowProblem; readonly heldDay?: string }
  /** The account of the file, as the file writes it. */
  | { readonly kind: 'account'; readonly text: string; readonly line: number }
  /** The days that the file claims to cover, both inclusive. */
  | { readonly kind: 'period'; readonly from: string; readonly to: string }
  /**
   * `isWhole`: no row of the day is before the opening balance, or after the closing balance. If the rows of a format have no
   * balances, the file is checked between an opening balance and the next closing balance.
   */
  | {
      readonly kind: 'balance';
      readonly what: 'opening' | 'closing';
      readonly day: string | null;
      readonly amountMinor: bigint;
      readonly isWhole: boolean;
      readonly line: number;
    };

/** A bank statement lists everything that happened; a notice about some entries does not. */
export type ListingScope = 'everything' | 'some';
