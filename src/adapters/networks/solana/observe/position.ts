// The position of the observer, as one text. For every account with deposits it contains the last final transaction that was
// read, and the later ones that were reported before they were final. It is stored together with the deposits, so that they
// always match.

export interface HistoryMark {
  /** The last final transaction that was read, and its slot. Null means that there is none yet. */
  readonly last: string | null;
  readonly slot: string;
  readonly seen: readonly string[];
  /** The balance after `last`, and the balance after each of `seen`. Null or missing means that it is not known. */
  readonly after?: string | null;
  readonly seenAfter?: readonly (string | null)[];
  /** The last final transaction that changed the balance. If a later list is not complete, reading restarts there. */
  readonly changed?: BalanceMark;
}

export interface BalanceMark {
  readonly last: string | null;
  readonly slot: string;
  readonly after: string | null;
}

export interface ObserverPosition {
  /** The mark of the treasury's account. Null means that it was never read. */
  treasury: HistoryMark | null;
  readonly owners: Map<string, Map<string, HistoryMark>>;
}

export const UNREAD_MARK: HistoryMark = { last: null, slot: '0', seen: [] };

export function readPosition(text: string | null): ObserverPosition {
  if (text === null) return { treasury: null, owners: new Map() };
  const { treasury, owners } = JSON.parse(text) as {
    treasury: HistoryMark | null;
    owners: Record<string, Record<string, HistoryMark>>;
  };
  const marks = Object.entries(owners).map(([owner, of]) => [owner, new Map(Object.entries(of))] as const);
  return { treasury, owners: new Map(marks) };
}

/** Keeps only the marks of these owners. Addresses that are no longer watched are dropped. */
export function writePosition({ treasury, owners }: ObserverPosition, recent: ReadonlySet<string>): string {
  const kept = [...owners].filter(([owner, marks]) => recent.has(owner) && marks.size > 0);
  const sorted = kept
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([owner, marks]) => [owner, Object.fromEntries(marks)]);
  return JSON.stringify({ treasury, owners: Object.fromEntries(sorted) });
}

export function markAt(
  { owners }: ObserverPosition,
  owner: string,
  account: string,
): HistoryMark | undefined {
  return owners.get(owner)?.get(account);
}

export function setMark(
  { owners }: ObserverPosition,
  owner: string,
  account: string,
  mark: HistoryMark,
): void {
  const marks = owners.get(owner) ?? new Map<string, HistoryMark>();
  owners.set(owner, marks.set(account, mark));
}
