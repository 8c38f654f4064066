// A query for the records of one customer, by bank account number, by name, or by both. This file also defines the text that a
// keyed hash is made from, so that a value can be found after it was erased.
import { parseName } from '../matching/name-match.ts';

/** How a value is hashed. A number and a name are found in any spelling. */
export type HashKind = 'number' | 'name' | 'text';

export interface PersonQuery {
  readonly account: string | null;
  /** The bank of the account, because the same ten digits exist at several banks. */
  readonly bankCode: string | null;
  readonly name: string | null;
}

export function makeHashInput(kind: HashKind, value: string): string {
  if (kind === 'number') return `number ${value.replaceAll(/[\s-]/g, '')}`;
  if (kind === 'name') return `name ${nameForm(value)}`;
  return `text ${value}`;
}

export function isSameName(one: string, other: string): boolean {
  return nameForm(one) === nameForm(other);
}

function nameForm(name: string): string {
  return parseName(name).form || name.trim();
}

/** The pseudonym of a person in proposals and the audit log: a part of the keyed hash. */
export function makePersonAlias(hash: string): string {
  return `customer_${hash.slice(3, 19)}`;
}

/** Groups the records of an erasure request. The request names a record by its id, or by its table and row key. */
export function groupRequestedRecords(subjects: readonly string[]) {
  const of = (prefix: string) => subjects.filter((each) => each.startsWith(prefix));
  const rows = subjects.filter((each) => each.includes(' ')).map((each) => each.split(' '));
  return {
    transactionIds: of('txn_'),
    creditIds: of('crd_'),
    keys: rows.map(([place, ...key]) => ({ place: place!, key })),
  };
}

/** How long personal data is kept: while its record is open, and then for the time that the operator has set. */
export type Retention =
  | { readonly kind: 'open' }
  /** The operator has set no retention time. */
  | { readonly kind: 'no_limit' }
  | { readonly kind: 'until'; readonly atMs: number };

/**
 * The waiting time after the end of a transaction. Later records, such as the Travel-Rule record of the transaction, are
 * written first.
 */
export const SETTLE_DELAY_MS = 3_600_000;

/** `keepMs`: null when no retention is set. `byLawMs`: how long the law requires the row; null if it does not. */
export function decideRetention(row: {
  readonly overSinceMs: number | null;
  readonly keepMs: number | null;
  readonly byLawMs: number | null;
}): Retention {
  const { overSinceMs, keepMs, byLawMs } = row;
  if (overSinceMs === null) return { kind: 'open' };
  if (keepMs === null) return { kind: 'no_limit' };
  return { kind: 'until', atMs: overSinceMs + Math.max(keepMs, byLawMs ?? 0) };
}

interface DatedRow {
  readonly overSinceMs: number | null;
  /** The law requires the row. */
  readonly isByLaw: boolean;
  /** Records of its transaction may still be written within an hour of its end. */
  readonly settles: boolean;
}

/** When a requested row may be erased; null: its record has not ended. `byLawMs`: the time that the law sets for live records. */
export function decideErasureTime(
  { overSinceMs, isByLaw, settles }: DatedRow,
  byLawMs: number,
): number | null {
  if (overSinceMs === null) return null;
  const settleMs = settles ? SETTLE_DELAY_MS : 0;
  return Math.ceil(overSinceMs) + (isByLaw ? Math.max(settleMs, byLawMs) : settleMs) + 1;
}

/** The times before which records must have ended. `keepMs`: the wait after their end. */
export function makeErasureLimits(nowMs: number, keepMs: number, byLawMs: number) {
  return { nowMs, overBeforeMs: nowMs - keepMs, byLawOverBeforeMs: nowMs - Math.max(keepMs, byLawMs) };
}
