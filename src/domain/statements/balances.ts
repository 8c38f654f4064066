// The running balance of one day: every row leads from the balance before it to the balance after it, and all rows of a day must be
// one way from the day's opening to its closing. It does not matter in which order files list them, or which file a row came from.

export interface BalancedRow {
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint;
}

/** The known start of the day from other sources; null: nothing. */
export interface DayStart {
  /** The closing of the last day before it. */
  readonly previousMinor: bigint | null;
  /** Where the file that showed it first begins: decides only for a day that ends where it began. */
  readonly hintMinor: bigint | null;
}

export interface BalanceVerdict {
  /** One plain sentence; null: the balances are right. */
  readonly gap: string | null;
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
}

/** `naira` writes an amount for people. */
export function judgeBalances(
  rows: readonly BalancedRow[],
  start: DayStart,
  naira: (minor: bigint) => string,
): BalanceVerdict {
  const { starts, stops } = findLooseEnds(rows);
  const broken = (gap: string) => ({ gap, openingMinor: null, closingMinor: null });
  if (starts.length > 1 || countPieces(rows) > 1)
    return broken(
      'The balances of this day do not follow from each other: rows are missing, or stand twice.',
    );
  const openingMinor = starts[0] ?? findCircularStart(rows, start);
  const closingMinor = stops[0] ?? openingMinor;
  const { previousMinor } = start;
  const isReached = starts.length > 0 || rows.some(({ balanceMinor }) => balanceMinor === previousMinor);
  if (previousMinor !== null && (previousMinor !== openingMinor || !isReached))
    return broken(
      `The day before it ends at ${naira(previousMinor)}, and its rows do not begin there: rows are missing between them.`,
    );
  return { gap: null, openingMinor, closingMinor };
}

/** The balances that more rows leave than reach, and those that more rows reach than leave. */
function findLooseEnds(rows: readonly BalancedRow[]): { starts: bigint[]; stops: bigint[] } {
  const excess = new Map<bigint, number>();
  const add = (balance: bigint, by: number) => {
    const sum = (excess.get(balance) ?? 0) + by;
    if (sum === 0) excess.delete(balance);
    else excess.set(balance, sum);
  };
  for (const { amountMinor, balanceMinor } of rows) {
    add(balanceMinor - amountMinor, 1);
    add(balanceMinor, -1);
  }
  const starts: bigint[] = [];
  const stops: bigint[] = [];
  for (const [balance, by] of excess)
    for (let count = Math.abs(by); count > 0; count--) (by > 0 ? starts : stops).push(balance);
  return { starts, stops };
}

/** The number of parts of the rows that no balance joins. */
function countPieces(rows: readonly BalancedRow[]): number {
  const above = new Map<bigint, bigint>();
  const topOf = (balance: bigint): bigint => {
    let top = balance;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) {
      const after = above.get(next);
      if (after !== undefined) above.set(top, after);
      top = next;
    }
    return top;
  };
  const balances = new Set<bigint>();
  let pieces = 0;
  const meet = (balance: bigint) => {
    if (balances.has(balance)) return;
    balances.add(balance);
    pieces++;
  };
  for (const { amountMinor, balanceMinor } of rows) {
    const before = balanceMinor - amountMinor;
    meet(before);
    meet(balanceMinor);
    const [one, other] = [topOf(before), topOf(balanceMinor)];
    if (one === other) continue;
    above.set(one, other);
    pieces--;
  }
  return pieces;
}

/** A day that ends where it began could begin at each of its balances: what is known from elsewhere decides, or nothing does. */
function findCircularStart(
  rows: readonly BalancedRow[],
  { previousMinor, hintMinor }: DayStart,
): bigint | null {
  const balances = new Set(rows.map(({ balanceMinor }) => balanceMinor));
  return (
    [previousMinor, hintMinor].find((balance) => balance !== null && balances.has(balance)) ?? previousMinor
  );
}

/** Where a way through all rows begins and ends; undefined: there is none, or it could begin anywhere. */
export function findPathThrough(
  rows: readonly BalancedRow[],
): { readonly fromMinor: bigint; readonly toMinor: bigint } | undefined {
  const { starts, stops } = findLooseEnds(rows);
  if (starts.length !== 1 || countPieces(rows) > 1) return undefined;
  return { fromMinor: starts[0]!, toMinor: stops[0]! };
}
