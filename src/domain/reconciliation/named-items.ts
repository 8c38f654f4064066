// Which rows name which items. The session id or reference of the item is in the row's own field, or anywhere in its narration.
import { type BookItem, isUsableReference, normaliseReference, type ReconciliationRow } from './items.ts';

/** The items that each row names, in the order of the books. */
export function findNamedItems(
  items: Iterable<BookItem>,
  rows: Iterable<ReconciliationRow>,
): ReadonlyMap<string, readonly BookItem[]> {
  const known = new Map<string, BookItem[]>();
  for (const item of items)
    for (const name of new Set([...item.sessions, ...item.names].filter(isUsableReference))) {
      const found = known.get(name);
      if (found === undefined) known.set(name, [item]);
      else found.push(item);
    }
  const lengths = [...new Set([...known.keys()].map((name) => name.length))];
  return new Map([...rows].map((row) => [row.id, findItemsInRow(row, known, lengths)]));
}

function findItemsInRow(
  { sessionId, reference, narration }: ReconciliationRow,
  known: ReadonlyMap<string, readonly BookItem[]>,
  lengths: readonly number[],
): readonly BookItem[] {
  const found = new Set<BookItem>();
  for (const field of [sessionId, reference, narration]) {
    const text = normaliseReference(field ?? '');
    for (const length of lengths)
      for (let from = 0; from + length <= text.length; from++)
        for (const item of known.get(text.slice(from, from + length)) ?? []) found.add(item);
  }
  return [...found];
}
