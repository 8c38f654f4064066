// Decides whether the stored rows of a day on a bank account are reliable. If every row has a balance, the rows themselves
// prove this. Otherwise the opening and closing balances of a file that covers the day must prove it.
import { formatNaira } from '../values/money.ts';
import { type DayStart, judgeBalances } from './balances.ts';
import type { FileDay } from './coverage.ts';

/**
 * `sound`: the balances prove that the day is complete and correct. `unchecked`: no balances prove anything about the day.
 * `gap`: the balances contradict the rows of the day, and the service holds these rows.
 */
export type StatementDayState = 'sound' | 'unchecked' | 'gap';

export interface DayVerdict {
  readonly state: StatementDayState;
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
  /** The reason for the state `gap`; null in every other state. */
  readonly gap: string | null;
}

export interface StatementDayFacts {
  readonly rows: readonly { readonly amountMinor: bigint; readonly balanceMinor: bigint | null }[];
  readonly start: DayStart;
  /** The sums of the file that was just read. Null: no new file was read, and the stored day is judged again. */
  readonly file: FileDay | null;
  readonly added: number;
  readonly before: DayVerdict | null;
}

export function judgeDay({ rows, start, file, added, before }: StatementDayFacts): DayVerdict {
  if (rows.length === 0) return judgeEmptyDay(start);
  const balanced = rows.flatMap(({ amountMinor, balanceMinor }) =>
    balanceMinor === null ? [] : [{ amountMinor, balanceMinor }],
  );
  if (balanced.length === rows.length) {
    const { gap, openingMinor, closingMinor } = judgeBalances(balanced, start, formatNaira);
    return { state: gap === null ? 'sound' : 'gap', openingMinor, closingMinor, gap };
  }
  return judgeSums(rows.length, file, added, before);
}

/** A day without rows closes with the balance of the previous day. */
function judgeEmptyDay({ previousMinor }: DayStart): DayVerdict {
  const state = previousMinor === null ? 'unchecked' : 'sound';
  return { state, openingMinor: previousMinor, closingMinor: previousMinor, gap: null };
}

function judgeSums(
  stored: number,
  file: FileDay | null,
  added: number,
  before: DayVerdict | null,
): DayVerdict {
  const unchecked: DayVerdict = { state: 'unchecked', openingMinor: null, closingMinor: null, gap: null };
  if (file === null || (added === 0 && before?.state === 'sound')) return before ?? unchecked;
  if (file.sums === 'right' && file.rows === stored) {
    const { openingMinor, closingMinor } = file;
    return { state: 'sound', openingMinor, closingMinor, gap: null };
  }
  if (file.sums === 'wrong' && (added > 0 || before === null)) return makeGapVerdict(WRONG_SUMS);
  if (before?.state === 'sound' && added > 0) return makeGapVerdict(ADDED_ROWS);
  return before ?? unchecked;
}

const WRONG_SUMS =
  'The opening balance and the rows of the file do not add up to its closing balance: rows are missing.';
const ADDED_ROWS = 'A file adds rows to a day whose balances were right without them.';

function makeGapVerdict(gap: string): DayVerdict {
  return { state: 'gap', openingMinor: null, closingMinor: null, gap };
}
