// Merges the statement rows of one day of an account from several files. Rows without balances: the day gets as many identical
// rows as the file that has the most of them. Rows with balances: the rows of one file are a continuous part of the day, and
// the service aligns this part with the stored part. The result never has too many rows, and it does not depend on the order or
// repetition of the files.

import { createHash } from 'node:crypto';
import { type BalancedRow, findPathThrough } from './balances.ts';
import { recogniseCutRows } from './cut-rows.ts';
import { normaliseNarration } from './narration.ts';
import type { StatementRow } from './row.ts';

export interface DayRow {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint | null;
  /** Used only to decide which of several identical rows is new. */
  readonly reference: string | null;
  /** The normalised narration. It is empty if its words were erased. */
  readonly narration: string;
}

export interface AddedRow {
  readonly index: number;
  /** The number of the added row among identical rows of the day, from 1. */
  readonly ordinal: number;
}

export type MergeResult =
  /**
   * `cut`: the number of rows that may be stored rows with a longer or shorter narration, because one of the files cut the
   * text. The service does not add these rows.
   */
  | { readonly kind: 'merged'; readonly add: readonly AddedRow[]; readonly cut: number }
  /**
   * A file that covers the whole day lacks some stored rows and has some rows that are not stored. The file and the stored rows
   * cannot both be correct.
   */
  | { readonly kind: 'contradiction'; readonly onlyHere: number; readonly onlyStored: number };

export interface MergeFacts {
  /** Whether the statement file contains everything that happened on the day. */
  readonly isWhole: boolean;
  /** Whether all stored rows came from one file. If their balances also agree, they are a continuous piece of the day. */
  readonly isOnePiece: boolean;
}

/** `given`: the rows of the file, the oldest first. */
export function mergeDay(
  stored: readonly DayRow[],
  given: readonly DayRow[],
  { isWhole, isOnePiece }: MergeFacts,
): MergeResult {
  const before = countByKey(stored);
  const { rows: shown, doubtful } = recogniseCutRows(stored, given);
  const here = countByKey(shown);
  const onlyHere = countSurplus(here, before);
  const onlyStored = countSurplus(before, here);
  if (isWhole && onlyHere > 0 && onlyStored > 0) return { kind: 'contradiction', onlyHere, onlyStored };
  const overlap = isOnePiece && onlyHere > 0 && onlyStored > 0 ? findOverlap(stored, shown, before) : null;
  const isNew = (index: number) =>
    overlap === null ||
    (overlap.end === 'append' ? index >= overlap.rows : index < shown.length - overlap.rows);
  const wanted = new Map<string, number>();
  for (const [key, count] of here) wanted.set(key, Math.max(count, before.get(key) ?? 0));
  if (overlap !== null) {
    const added = countByKey(shown.filter((_row, index) => isNew(index)));
    for (const [key, count] of added) wanted.set(key, (before.get(key) ?? 0) + count);
  }
  // If the file covers the whole day and has exactly the stored rows, no row is doubtful.
  const cut = isWhole && onlyHere === 0 && onlyStored === 0 ? 0 : doubtful;
  return { kind: 'merged', add: listNewRows(stored, shown, wanted), cut };
}

function countByKey(rows: readonly DayRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function countSurplus(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [key, count] of one) sum += Math.max(0, count - (other.get(key) ?? 0));
  return sum;
}

interface Overlap {
  readonly end: 'append' | 'prepend';
  readonly rows: number;
}

/**
 * Finds the longest overlap of the file's rows with the end or the start of the stored rows. Null: there is no overlap, or the
 * rows overlap at both ends.
 */
function findOverlap(
  stored: readonly DayRow[],
  shown: readonly DayRow[],
  counts: ReadonlyMap<string, number>,
): Overlap | null {
  const way = isBalanced(stored) ? findPathThrough(stored) : undefined;
  if (way === undefined || !isBalanced(shown) || !isUnbroken(shown)) return null;
  const behind = countOverlap(shown, counts, ({ balanceMinor }) => balanceMinor === way.toMinor);
  const ahead = countOverlap(
    shown.toReversed(),
    counts,
    (row) => computeBalanceBefore(row) === way.fromMinor,
  );
  // If the file's rows fit at both ends of the stored rows, it is unknown which end is correct.
  if (behind > 0 === ahead > 0) return null;
  return behind > 0 ? { end: 'append', rows: behind } : { end: 'prepend', rows: ahead };
}

/**
 * Counts the rows at the start of the file that are already stored. The count ends at the last of these rows whose balance is
 * the end of the stored rows.
 */
function countOverlap(
  rows: readonly (DayRow & BalancedRow)[],
  counts: ReadonlyMap<string, number>,
  isEnd: (row: BalancedRow) => boolean,
): number {
  const left = new Map(counts);
  let found = 0;
  for (const [index, row] of rows.entries()) {
    const count = left.get(row.key) ?? 0;
    if (count === 0) break;
    left.set(row.key, count - 1);
    if (isEnd(row)) found = index + 1;
  }
  return found;
}

function isBalanced(rows: readonly DayRow[]): rows is readonly (DayRow & BalancedRow)[] {
  return rows.every(({ balanceMinor }) => balanceMinor !== null);
}

function isUnbroken(rows: readonly BalancedRow[]): boolean {
  return rows.every(
    (row, index) => index === 0 || rows[index - 1]!.balanceMinor === computeBalanceBefore(row),
  );
}

function computeBalanceBefore({ amountMinor, balanceMinor }: BalancedRow): bigint {
  return balanceMinor - amountMinor;
}

/** Finds the rows of the file that are not stored. Among identical rows, a row whose reference is stored is not new. */
function listNewRows(
  stored: readonly DayRow[],
  shown: readonly DayRow[],
  wanted: ReadonlyMap<string, number>,
): readonly AddedRow[] {
  const known = indexByKey(stored);
  const add: AddedRow[] = [];
  for (const [key, indexes] of indexByKey(shown)) {
    const before = known.get(key) ?? [];
    const missing = (wanted.get(key) ?? 0) - before.length;
    if (missing <= 0) continue;
    const names = before.map((index) => stored[index]!.reference);
    const fresh = indexes.filter((index) => {
      const at = names.indexOf(shown[index]!.reference);
      if (at !== -1) names.splice(at, 1);
      return at === -1;
    });
    const chosen = fresh.length >= missing ? fresh.slice(-missing) : indexes.slice(-missing);
    for (const [more, index] of chosen.entries()) add.push({ index, ordinal: before.length + more + 1 });
  }
  return add.sort((a, b) => a.index - b.index);
}

function indexByKey(rows: readonly DayRow[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [index, { key }] of rows.entries()) {
    const equal = found.get(key);
    if (equal === undefined) found.set(key, [index]);
    else equal.push(index);
  }
  return found;
}

// Recognises the same row in different statement files. The key of a row contains all values that the bank repeats in every
// file. An ordinal distinguishes rows of one day with the same key, so that two identical payments stay two payments.

/**
 * The key is the same for one row in every file of an account. Equal rows are distinguished by the running balance, if the bank
 * gives it, and by a session id in the reference. A session id from a column of its own is not a part of the key, because rows that
 * were stored before such columns were read do not have it.
 */
export function rowKey(account: string, row: StatementRow): string {
  const narration = normaliseNarration(row.narration);
  const { writtenSession } = row;
  const session = writtenSession === null || narration.includes(writtenSession) ? '' : writtenSession;
  const parts = [account, row.day, row.amountMinor, row.balanceMinor ?? '', session, narration];
  return createHash('sha256').update(parts.join('\u0000')).digest('base64url').slice(0, 32);
}
