// Recognises a row whose narration another file cut off, because that file ends too early or inside a narration of several
// lines. With the same running balance it is certainly the same row. Without balances it may be another payment, so people or a
// complete file must decide.

interface ComparedRow {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint | null;
  /** The normalised narration. It is empty if the words were erased. */
  readonly narration: string;
}

interface RecognisedRows<Row> {
  readonly rows: readonly Row[];
  /** The number of cut rows that were recognised without a running balance. */
  readonly doubtful: number;
}

interface Unpaired {
  readonly row: ComparedRow;
  /** The index of the row in the file. Null: the row is a stored row. */
  readonly index: number | null;
}

/** Compares only rows that have no equal row on the other side. */
export function recogniseCutRows<Row extends ComparedRow>(
  stored: readonly ComparedRow[],
  shown: readonly Row[],
): RecognisedRows<Row> {
  const groups = Map.groupBy(
    [...unpairedIn(stored, shown, false), ...unpairedIn(shown, stored, true)].filter(
      ({ row }) => row.narration !== '',
    ),
    ({ row }) => `${row.amountMinor} ${row.balanceMinor}`,
  );
  const keys = new Map<number, string>();
  let doubtful = 0;
  for (const group of groups.values())
    for (const [index, row] of pairPrefixes(group)) {
      keys.set(index, row.key);
      if (row.balanceMinor === null) doubtful++;
    }
  if (keys.size === 0) return { rows: shown, doubtful };
  return { rows: shown.map((row, index) => ({ ...row, key: keys.get(index) ?? row.key })), doubtful };
}

/** The rows that the other side lacks. Of several equal rows, these are the last ones. */
function unpairedIn(
  rows: readonly ComparedRow[],
  others: readonly ComparedRow[],
  isFile: boolean,
): readonly Unpaired[] {
  const left = new Map<string, number>();
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1);
  return rows.flatMap((row, index) => {
    const count = left.get(row.key) ?? 0;
    left.set(row.key, count - 1);
    return count > 0 ? [] : [{ row, index: isFile ? index : null }];
  });
}

/**
 * Pairs each row of the file with a stored row if one narration begins with the other and is longer. In sorted order, every
 * beginning of a text comes before the text, so one pass with a stack finds the pairs.
 */
function pairPrefixes(rows: readonly Unpaired[]): ReadonlyMap<number, ComparedRow> {
  const pairs = new Map<number, ComparedRow>();
  let beginnings: Unpaired[] = [];
  for (const each of rows.toSorted((a, b) => (a.row.narration < b.row.narration ? -1 : 1))) {
    beginnings = beginnings.filter(({ row }) => each.row.narration.startsWith(row.narration));
    const at = beginnings.findLastIndex(
      // Rows with the same narration are different payments, because something else distinguishes them.
      ({ row, index }) =>
        (index === null) !== (each.index === null) && row.narration.length < each.row.narration.length,
    );
    if (at === -1) {
      beginnings.push(each);
      continue;
    }
    const [other] = beginnings.splice(at, 1);
    pairs.set((each.index ?? other!.index)!, each.index === null ? each.row : other!.row);
  }
  return pairs;
}
