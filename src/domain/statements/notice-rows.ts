// A bank sends notices of single entries (camt.054) and a statement of the day (camt.053) about the same entries, with other
// words. The bank's own reference shows which entries are the same. Where it does not, nothing is added: a row counted twice would
// give value twice.
import type { DayRow } from './merge-day.ts';

/** Profiles of one message standard: notices and statements of one account continue each other. */
const NOTICES_AND_STATEMENTS: ReadonlySet<string> = new Set(['camt.053', 'camt.054']);

/** Whether a file with one profile may continue rows that were read with the other. */
export function mayContinue(before: string, now: string): boolean {
  return before === now || (NOTICES_AND_STATEMENTS.has(before) && NOTICES_AND_STATEMENTS.has(now));
}

export interface StoredDayRow extends DayRow {
  /** The profile of the file that the row was read from. A day may have rows from notices and from statements. */
  readonly profile: string;
}

interface KnownNotices<Row> {
  /** The rows of the file. An entry that is stored under other words has the key of the stored row. */
  readonly rows: readonly Row[];
  /** Rows that may be a stored row: the same amount, but no reference shows whether they are. */
  readonly doubtful: number;
}

/** `profile`: of the file with the shown rows. Only rows of files of the other kind are compared with them. */
export function recogniseNotices<Row extends DayRow>(
  stored: readonly StoredDayRow[],
  shown: readonly Row[],
  profile: string,
): KnownNotices<Row> {
  const isOfOtherKind = (row: StoredDayRow) => row.profile !== profile && mayContinue(row.profile, profile);
  const [left, fresh] = [unpaired(stored, shown).filter(isOfOtherKind), unpaired(shown, stored)];
  const keys = new Map<Row, string>();
  for (const row of fresh) {
    const same = left.filter((each) => isSameEntry(each, row));
    if (same.length === 1 && fresh.filter((each) => isSameEntry(each, row)).length === 1)
      keys.set(row, same[0]!.key);
  }
  const used = new Set(keys.values());
  const open = new Set(left.filter(({ key }) => !used.has(key)).map(({ amountMinor }) => amountMinor));
  const doubtful = fresh.filter((row) => !keys.has(row) && open.has(row.amountMinor)).length;
  return { rows: shown.map((row) => ({ ...row, key: keys.get(row) ?? row.key })), doubtful };
}

function isSameEntry(one: DayRow, other: DayRow): boolean {
  return one.reference !== null && one.reference === other.reference && one.amountMinor === other.amountMinor;
}

/** The rows without an equal row on the other side. */
function unpaired<Row extends DayRow>(rows: readonly Row[], others: readonly DayRow[]): readonly Row[] {
  const left = new Map<string, number>();
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1);
  return rows.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}
