// Reads the amount and the direction of a table row, from two columns, or from one column and words for debit and credit. A row
// with contradicting directions is not used. A row without a direction keeps the sign that it has in the file, and `lacks` says
// what is missing.
import { type ParsedAmount, parseStatementAmount } from '../../../domain/statements/amount.ts';
import { parseSide, type StatementSide } from '../../../domain/statements/side.ts';
import type { ColumnMap, ColumnName } from './column-profile.ts';

export type RowAmount =
  | {
      readonly kind: 'amount';
      readonly minor: bigint;
      /** The reason why the row alone does not show its direction. Null if the row shows its direction. */
      readonly lacks: string | null;
      readonly isMinus: boolean;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'problem'; readonly column: ColumnName; readonly reason: string }
  /** The row contradicts itself about its direction, so it is held. */
  | { readonly kind: 'held'; readonly column: ColumnName; readonly reason: string };

/**
 * If the table has a debit and a credit column, a separate amount column is not needed. That column may have another value, for
 * example the amount before charges.
 */
export function hasTwoColumns({ debit, credit }: ColumnMap): boolean {
  return debit !== undefined && credit !== undefined;
}

export function readRowAmount(cells: readonly string[], columns: ColumnMap, decimal: '.' | ','): RowAmount {
  const read = (column: ColumnName) => parseStatementAmount(cells[columns[column]!] ?? '', decimal);
  const sides = columns.sides.flatMap((index) => parseSide(cells[index] ?? '') ?? []);
  if (hasTwoColumns(columns)) return amountOfTwoColumns(read('debit'), read('credit'), sides);
  return amountOfOneColumn(read('amount'), sides, columns.sides);
}

function amountOfTwoColumns(
  debit: ParsedAmount,
  credit: ParsedAmount,
  sides: readonly StatementSide[],
): RowAmount {
  if (debit.kind === 'problem') return unusableAmount('problem', 'debit', debit.reason);
  if (credit.kind === 'problem') return unusableAmount('problem', 'credit', credit.reason);
  const out = debit.kind === 'amount' ? debit.minor : 0n;
  const into = credit.kind === 'amount' ? credit.minor : 0n;
  if (out !== 0n && into !== 0n)
    return unusableAmount('held', 'debit', 'the row has an amount as debit and as credit');
  if (out === 0n && into === 0n) {
    const isEmpty = debit.kind === 'none' && credit.kind === 'none';
    return isEmpty ? unusableAmount('problem', 'debit', 'the row has no amount') : { kind: 'none' };
  }
  if (into < 0n) return unusableAmount('held', 'credit', 'the amount is in the credit column but negative');
  if (debit.kind === 'amount' && debit.side === 'credit')
    return unusableAmount('held', 'debit', 'the amount is in the debit column but marked as a credit');
  const side: StatementSide = into > 0n ? 'credit' : 'debit';
  if (sides.some((each) => each !== side))
    return unusableAmount(
      'held',
      'side',
      `the amount is marked as ${side}, but another column contradicts it`,
    );
  // Some banks write debits with a minus sign in the debit column.
  const size = into > 0n ? into : out < 0n ? -out : out;
  return { kind: 'amount', minor: side === 'credit' ? size : -size, lacks: null, isMinus: false };
}

function amountOfOneColumn(
  amount: ParsedAmount,
  words: readonly StatementSide[],
  columns: readonly number[],
): RowAmount {
  if (amount.kind === 'problem') return unusableAmount('problem', 'amount', amount.reason);
  if (amount.kind === 'none') return unusableAmount('problem', 'amount', 'the row has no amount');
  if (amount.minor === 0n) return { kind: 'none' };
  const sides = amount.side === null ? words : [...words, amount.side];
  const isMinus = amount.side === null && amount.minor < 0n;
  const side = sides[0];
  if (side === undefined)
    return { kind: 'amount', minor: amount.minor, lacks: noDirectionReason(columns), isMinus };
  if (sides.some((each) => each !== side))
    return unusableAmount('held', 'side', 'the row says that the amount is a debit and that it is a credit');
  if (isMinus && side === 'credit')
    return unusableAmount('held', 'amount', 'the amount is negative, and the row says that it is a credit');
  const size = amount.minor < 0n ? -amount.minor : amount.minor;
  return { kind: 'amount', minor: side === 'credit' ? size : -size, lacks: null, isMinus };
}

function noDirectionReason([index]: readonly number[]): string {
  return index === undefined
    ? 'no column says whether the amount is a debit or a credit'
    : `column ${index + 1} says neither debit nor credit`;
}

function unusableAmount(kind: 'problem' | 'held', column: ColumnName, reason: string): RowAmount {
  return { kind, column, reason };
}
