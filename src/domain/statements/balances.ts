// Checks the running balance of one day. Every row leads from one balance to the next, and all rows must form one path from the
// opening to the closing balance. The order of the rows, and the files they come from, do not matter.

export interface BalancedRow {
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint;
}

/** What other sources show about the start of the day. Null: they show nothing. */
export interface DayStart {
  /** The closing balance of the last earlier day. */
  readonly previousMinor: bigint | null;
  /** The opening balance in the first file that contains this day. It is used only if the day ends at its opening balance. */
  readonly hintMinor: bigint | null;
}

export interface BalanceVerdict {
  /** The problem of the balances in one sentence. Null: the balances are correct. */
  readonly gap: string | null;
  readonly openingMinor: bigint | null;
  readonly closingMinor: bigint | null;
}

/** `naira`: formats an amount for people. */
export function judgeBalances(
  rows: readonly BalancedRow[],
  start: DayStart,
  naira: (minor: bigint) => string,
): BalanceVerdict {
  const { starts, stops } = findLooseEnds(rows);
  const broken = (gap: string) => ({ gap, openingMinor: null, closingMinor: null });
  if (starts.length > 1 || countPieces(rows) > 1)
    return broken(
      'The balances of this day do not follow from each other: rows are missing, or appear twice.',
    );
  const openingMinor = starts[0] ?? findCircularStart(rows, start);
  const closingMinor = stops[0] ?? openingMinor;
  const { previousMinor } = start;
  const isReached = starts.length > 0 || rows.some(({ balanceMinor }) => balanceMinor === previousMinor);
  if (previousMinor !== null && (previousMinor !== openingMinor || !isReached))
    return broken(
      `The previous day ends at ${naira(previousMinor)}, but the rows of this day do not begin there: rows are missing in between.`,
    );
  return { gap: null, openingMinor, closingMinor };
}

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

/** If a day ends at its opening balance, any of its balances could be the first one. Only other sources can then decide. */
function findCircularStart(
  rows: readonly BalancedRow[],
  { previousMinor, hintMinor }: DayStart,
): bigint | null {
  const balances = new Set(rows.map(({ balanceMinor }) => balanceMinor));
  return (
    [previousMinor, hintMinor].find((balance) => balance !== null && balances.has(balance)) ?? previousMinor
  );
}

/** The start and the end of a path through all rows. Undefined: there is no path, or any balance could be its start. */
export function findPathThrough(
  rows: readonly BalancedRow[],
): { readonly fromMinor: bigint; readonly toMinor: bigint } | undefined {
  const { starts, stops } = findLooseEnds(rows);
  if (starts.length !== 1 || countPieces(rows) > 1) return undefined;
  return { fromMinor: starts[0]!, toMinor: stops[0]! };
}
