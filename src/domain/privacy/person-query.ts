// One customer, as an operator asks about them: by the number of a bank account, by a name, or by both. What a keyed hash is made of is
// decided here, so that a value is found again after it was erased.
import { parseName } from '../matching/name-match.ts';

/** The ways to hash a value: a number and a name are found again in any spelling. */
export type HashKind = 'number' | 'name' | 'text';

export interface PersonQuery {
  readonly account: string | null;
  /** Narrows the account: the same ten digits exist at several banks. */
  readonly bankCode: string | null;
  readonly name: string | null;
}

/** The normalised text that is hashed: two values with one form are one value. */
export function makeHashInput(kind: HashKind, value: string): string {
  if (kind === 'number') return `number ${value.replaceAll(/[\s-]/g, '')}`;
  if (kind === 'name') return `name ${nameForm(value)}`;
  return `text ${value}`;
}

/** The same words in any order, titles aside. */
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

/** Records, as a request to erase them names them: by their ids, or as a table and the key of a row. */
export function groupRequestedRecords(subjects: readonly string[]) {
  const of = (prefix: string) => subjects.filter((each) => each.startsWith(prefix));
  const rows = subjects.filter((each) => each.includes(' ')).map((each) => each.split(' '));
  return {
    transactionIds: of('txn_'),
    creditIds: of('crd_'),
    keys: rows.map(([place, ...key]) => ({ place: place!, key })),
  };
}

/**
 * How long personal data is kept: while what it is about is open, and from its end on for as long as the
 * operator set.
 */
export type Retention =
  | { readonly kind: 'open' }
  /** No retention is set. */
  | { readonly kind: 'no_limit' }
  | { readonly kind: 'until'; readonly atMs: number };

/** The time to wait after the end of a transaction, so that records that follow, such as its Travel-Rule record, are written first. */
export const SETTLE_DELAY_MS = 3_600_000;

/** `keepMs`: null when no retention is set. */
export function decideRetention(row: {
  readonly overSinceMs: number | null;
  readonly keepMs: number | null;
}): Retention {
  const { overSinceMs, keepMs } = row;
  if (overSinceMs === null) return { kind: 'open' };
  return keepMs === null ? { kind: 'no_limit' } : { kind: 'until', atMs: overSinceMs + keepMs };
}
