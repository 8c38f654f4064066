// Checks whether the listed transactions of an account explain its balance exactly. Each transaction shows the balance before
// and after it. The first transaction must start with the balance at the old position. Each later one must start with the
// balance after the previous transaction. The current balance, which comes from a different server, must equal the balance
// after the last transaction.
export interface BalanceChange {
  readonly slot: bigint;
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
}

export interface HeldBalance {
  readonly slot: bigint;
  readonly heldMinor: bigint;
}

export interface BalanceComparison {
  /** The balance at the new position. Null means that it is not known yet. */
  readonly heldMinor: bigint | null;
  /**
   * The unexplained difference: the largest shortage. Without a shortage, it is the largest surplus. Null means that nothing
   * can be compared yet.
   */
  readonly unlistedMinor: bigint | null;
}

/**
 * `startMinor` is the balance at the old position, and null means that it is not known. `passed` is the slot of the new
 * position.
 */
export function compareBalances(
  startMinor: bigint | null,
  changes: readonly BalanceChange[],
  balances: readonly HeldBalance[],
  passed: bigint,
): BalanceComparison {
  const slots = [...Map.groupBy(changes, ({ slot }) => slot)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  let heldMinor = startMinor;
  const differences: bigint[] = [];
  const after: { readonly slot: bigint; readonly heldMinor: bigint }[] = [];
  for (const [slot, own] of slots) {
    const foundMinor = balanceBeforeSlot(own, heldMinor);
    if (heldMinor !== null && foundMinor !== heldMinor) differences.push(foundMinor - heldMinor);
    heldMinor = foundMinor + sumOf(own);
    after.push({ slot, heldMinor });
  }
  const heldAt = (slot: bigint) => after.findLast((each) => each.slot <= slot)?.heldMinor ?? startMinor;
  for (const balance of balances) {
    const expectedMinor = heldAt(balance.slot);
    if (expectedMinor !== null) differences.push(balance.heldMinor - expectedMinor);
  }
  const known = heldAt(passed) ?? firstBalance(after, balances);
  return { heldMinor: known, unlistedMinor: differences.length === 0 ? null : worstDifference(differences) };
}

/** If nothing changed since the position, the current balance is also the balance at the position. */
function firstBalance(after: readonly unknown[], balances: readonly HeldBalance[]): bigint | null {
  return after.length === 0 ? (balances[0]?.heldMinor ?? null) : null;
}

/** The balance before a slot. Servers may list the transactions of one slot in any order. */
function balanceBeforeSlot(own: readonly BalanceChange[], expectedMinor: bigint | null): bigint {
  const sumMinor = sumOf(own);
  const fits = own.filter(({ beforeMinor }) =>
    own.some(({ afterMinor }) => afterMinor === beforeMinor + sumMinor),
  );
  const first = fits.find(({ beforeMinor }) => beforeMinor === expectedMinor) ?? fits[0] ?? own[0]!;
  return first.beforeMinor;
}

function sumOf(own: readonly BalanceChange[]): bigint {
  return own.reduce((sum, { beforeMinor, afterMinor }) => sum + afterMinor - beforeMinor, 0n);
}

function worstDifference(differences: readonly bigint[]): bigint {
  const lowest = differences.reduce((a, b) => (b < a ? b : a));
  const highest = differences.reduce((a, b) => (b > a ? b : a));
  return lowest < 0n ? lowest : highest;
}
