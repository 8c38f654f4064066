// Defines the content of a statement file in any format: rows, balances, the account, the period, and unreadable parts. Readers
// return these items in the order of the file.

/**
 * A position in a statement file. Lines and columns count from 1. The column is the number of the cell or, in a format without
 * cells, the number of the character.
 */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export interface RowProblem extends FilePosition {
  /** The reason why the row could not be read, in one plain sentence without account numbers. */
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

export interface ParsedRow extends FilePosition {
  /** The day on which the bank booked the row, as YYYY-MM-DD in Lagos. */
  readonly day: string;
  readonly valueDay: string | null;
  /** The time of the row in milliseconds; null if the file gives no time. */
  readonly atMs: number | null;
  /** A positive amount is incoming money. */
  readonly amountMinor: bigint;
  /**
   * One sentence that says what the row lacks to prove its direction (incoming or outgoing); null if the direction is proven.
   * If this is set, the sign of the amount is only the written sign. The service does not use that sign until
   * domain/statements/direction-finder.ts has proved it.
   */
  readonly lacks: string | null;
  /** Whether the file writes the amount with a minus or in brackets. */
  readonly isMinus: boolean;
  /** The narration. It contains a line break at each place where the file breaks the text. */
  readonly narration: string;
  readonly balanceMinor: bigint | null;
  readonly reference: string | null;
  readonly payer: NamedPayer | null;
  /** The session id in a column or field of its own; undefined: the file has no such column or field. */
  readonly session?: { readonly text: string | null; readonly from: Exclude<FactOrigin, 'narration'> };
  /** The mark that the file format gives separately from the narration; null if there is no such mark. */
  readonly mark: 'reversal' | 'charge' | null;
  /** Whether the bank has not booked the row yet. The service never stores such a row. */
  readonly isPending: boolean;
}

export type RowKind = 'payment' | 'reversal' | 'charge';

/**
 * Why the direction of a row is certain. `side`: a column or a word states the direction. `balance`: the running balance proves
 * it. `signs`: it is proven that the file writes signs before its amounts.
 */
export type DirectionProof = 'side' | 'balance' | 'signs';

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
  /** `heldDay`: the row contradicts itself about its direction, so the service holds this day. */
  | { readonly kind: 'problem'; readonly problem: RowProblem; readonly heldDay?: string }
  | { readonly kind: 'account'; readonly text: string; readonly line: number }
  /** The first and the last day that the file claims to cover. Both days are included. */
  | { readonly kind: 'period'; readonly from: string; readonly to: string }
  /**
   * `isWhole`: no row of the day comes before this opening balance or after this closing balance. If the rows of a format have
   * no balances, the service checks them between an opening balance and the next closing balance.
   */
  | {
      readonly kind: 'balance';
      readonly what: 'opening' | 'closing';
      readonly day: string | null;
      readonly amountMinor: bigint;
      readonly isWhole: boolean;
      readonly line: number;
    };

/** `everything`: a bank statement lists all entries of the account. `some`: a bank's message about single entries does not. */
export type ListingScope = 'everything' | 'some';
